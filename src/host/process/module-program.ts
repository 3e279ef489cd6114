import { extname } from "node:path";

/**
 * Runs in its own process: the module may print, exit or leave work running without harm, and its answer is the function's return value.
 * TypeScript is loaded by jiti, which the module does not need to know.
 */
const SCRIPT = `
const [name, file, loader] = process.argv.slice(1);
for (const name of ["log", "info", "debug"]) console[name] = console.error;
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);
let text = "";
for await (const chunk of process.stdin.setEncoding("utf8")) text += chunk;
const { pathToFileURL } = await import("node:url");
const url = pathToFileURL(file).href;
const module = loader === undefined ? await import(url) : await (await import(loader)).createJiti(url).import(file);
const call = module[name] ?? module.default?.[name] ?? module.default;
if (typeof call !== "function") throw new Error("the module does not export a function called " + name);
if (text === "") process.exit(0); // only asked whether it loads
const answer = await call(JSON.parse(text));
write(JSON.stringify(answer) ?? "null", () => process.exit(0));
`;

const TYPESCRIPT = new Set([".ts", ".mts", ".cts"]);
const MODULES = new Set([...TYPESCRIPT, ".js", ".mjs", ".cjs"]);

export function isModule(path: string): boolean {
  return MODULES.has(extname(path));
}

/** The program that calls the named function of a module with the JSON on stdin and prints the return value. Without input it only loads it. */
export function moduleProgram(path: string, name: string): { readonly binary: string; readonly args: readonly string[] } {
  const loader = TYPESCRIPT.has(extname(path)) ? [import.meta.resolve("jiti")] : [];
  return { binary: process.execPath, args: ["--input-type=module", "--eval", SCRIPT, "--", name, path, ...loader] };
}
