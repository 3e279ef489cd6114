import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isObject, parseObject } from "../../../pure/base/index.ts";

const IMPORT = /\b(?:from|import|require)\s*\(?\s*["']((?:\.{1,2}\/|\/|#)[^"'\n]+)["']/g;
const ENDINGS = [
  "",
  ".ts",
  ".mts",
  ".cts",
  ".js",
  ".mjs",
  ".cjs",
  ".json",
  "/package.json",
  "/index.ts",
  "/index.js",
  "/index.mjs",
  "/index.cjs",
];

/**
 * A module, and the files that it imports by path, directly or not. Names that an import could also mean are listed although no file has
 * them: a file with such a name would be imported instead.
 */
export function moduleFiles(path: string): readonly string[] {
  const read = new Set<string>();
  const named = new Set<string>();
  const open = [path];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (read.has(file)) continue;
    read.add(file);
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(IMPORT)) {
      const targets = name.startsWith("#") ? privateImports(dirname(file), named) : [resolve(dirname(file), name)];
      for (const each of targets.flatMap(candidatesOf)) {
        named.add(each);
        if (isFile(each)) open.push(each);
      }
    }
  }
  return [...new Set([...read, ...named])];
}

/** TypeScript imports `lib.ts` as `lib.js`. */
function candidatesOf(path: string): readonly string[] {
  const typed = path.replace(/\.([mc]?)js$/, ".$1ts");
  const endings = isFile(path) ? ENDINGS.filter((ending) => !ending.startsWith("/")) : ENDINGS;
  return [...new Set([...endings.map((ending) => `${path}${ending}`), typed])];
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Everything that the `imports` of the nearest package.json may mean. */
function privateImports(folder: string, named: Set<string>): readonly string[] {
  const path = join(folder, "package.json");
  named.add(path);
  if (isFile(path)) {
    const targets = stringsIn(parseObject(readFileSync(path, "utf8"))?.["imports"]);
    return targets.filter((target) => target.startsWith(".") && !target.includes("*")).map((target) => resolve(folder, target));
  }
  return dirname(folder) === folder ? [] : privateImports(dirname(folder), named);
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return isObject(value) ? Object.values(value).flatMap(stringsIn) : [];
}
