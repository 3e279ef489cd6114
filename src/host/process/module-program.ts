import { randomBytes } from "node:crypto";
import { dirname, extname } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Runs in its own process: the module may print, exit or leave work running without harm, and its answer is the function's return value.
 * TypeScript is loaded by jiti, which the module does not need to know. The answer follows a line that only this script has read: the module
 * may import code of an agent, which could print its own answer and exit.
 */
const SCRIPT = `
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
const [put, { parse, stringify }] = [writeSync, JSON]; // before any other code can replace them
const [name, file, loader] = process.argv.slice(1);
for (const name of ["log", "info", "debug"]) console[name] = console.error;
process.stdout.write = process.stderr.write.bind(process.stderr);
const given = readFileSync(0, "utf8");
closeSync(0);
openSync("/dev/null");
const [mark] = given.split("\\n", 1);
const text = given.slice(mark.length + 1);
const { pathToFileURL } = await import("node:url");
const url = pathToFileURL(file).href;
const module = loader === undefined ? await import(url) : await (await import(loader)).createJiti(url).import(file);
const call = module[name] ?? module.default?.[name] ?? module.default;
if (typeof call !== "function") throw new Error("the module does not export a function called " + name);
if (text === "") process.exit(0); // only asked whether it loads
const answer = await call(parse(text));
put(1, mark + "\\n" + (stringify(answer) ?? "null"));
process.exit(0);
`;

const TYPESCRIPT = new Set([".ts", ".mts", ".cts"]);
const MODULES = new Set([...TYPESCRIPT, ".js", ".mjs", ".cjs"]);

export function isModule(path: string): boolean {
  return MODULES.has(extname(path));
}

/** Names the answer of one call. */
export interface ModuleCall {
  readonly stdin: string;
  /** What the module returned, as JSON; undefined if it did not return. */
  readonly answer: (stdout: string) => string | undefined;
}

export function moduleCall(input: unknown): ModuleCall {
  const mark = randomBytes(18).toString("hex");
  return {
    stdin: `${mark}\n${JSON.stringify(input)}`,
    answer(stdout) {
      const at = stdout.indexOf(`${mark}\n`);
      return at === -1 ? undefined : stdout.slice(at + mark.length + 1);
    },
  };
}

/** The directory of the package that loads TypeScript, which the program needs. */
export function moduleLoader(): string {
  return dirname(dirname(fileURLToPath(import.meta.resolve("jiti"))));
}

/** The program that calls the named function of a module with the input of a `moduleCall`. Without input it only loads it. */
export function moduleProgram(path: string, name: string): { readonly binary: string; readonly args: readonly string[] } {
  const loader = TYPESCRIPT.has(extname(path)) ? [import.meta.resolve("jiti")] : [];
  return { binary: process.execPath, args: ["--input-type=module", "--eval", SCRIPT, "--", name, path, ...loader] };
}
