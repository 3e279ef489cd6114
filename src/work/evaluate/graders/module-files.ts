import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

const IMPORT = /\b(?:from|import|require)\s*\(?\s*["'](\.{1,2}\/[^"'\n]+)["']/g;
const ENDINGS = ["", ".ts", ".mts", ".js", ".mjs", ".cjs", ".json", "/index.ts", "/index.js", "/index.mjs"];

/** A module, and the files that it imports by a relative path, directly or not. */
export function moduleFiles(path: string): readonly string[] {
  const found = new Set<string>();
  const open = [path];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(IMPORT)) {
      const at = resolve(dirname(file), name);
      const next = ENDINGS.map((ending) => `${at}${ending}`).find((each) => statSync(each, { throwIfNoEntry: false })?.isFile());
      if (next !== undefined) open.push(next);
    }
  }
  return [...found];
}
