import { extname } from "node:path";
import type { Grader } from "./grader.ts";
import { programGrader } from "./program-grader.ts";

/**
 * Runs in a process of its own: what a module prints, exits with or leaves running is its own business, and the verdict is what its
 * function returned. TypeScript is read by jiti, which the module does not have to know.
 */
const SCRIPT = `
const [file, loader] = process.argv.slice(1);
for (const name of ["log", "info", "debug"]) console[name] = console.error;
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);
let text = "";
for await (const chunk of process.stdin.setEncoding("utf8")) text += chunk;
const { pathToFileURL } = await import("node:url");
const url = pathToFileURL(file).href;
const module = loader === undefined ? await import(url) : await (await import(loader)).createJiti(url).import(file);
const grade = module.grade ?? module.default?.grade ?? module.default;
if (typeof grade !== "function") throw new Error("the module exports no function called grade");
const verdict = await grade(JSON.parse(text));
write(JSON.stringify(verdict) ?? "null", () => process.exit(0));
`;

const TYPESCRIPT = new Set([".ts", ".mts", ".cts"]);

/** A module that exports `grade({ id, input, output, expected, … })`. */
export function moduleGrader(name: string, path: string, timeoutMs: number): Grader {
  const loader = TYPESCRIPT.has(extname(path)) ? [import.meta.resolve("jiti")] : [];
  const args = ["--input-type=module", "--eval", SCRIPT, "--", path, ...loader];
  return programGrader({ name, binary: process.execPath, args, timeoutMs, besides: path });
}
