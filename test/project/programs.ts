import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./imports.ts";

/** A program in a document. */
export interface Program {
  /** The line of its block. */
  readonly line: number;
  readonly code: string;
  /** The output in the document; undefined: none is shown, and the program is only compiled. */
  readonly printed: string | undefined;
}

/** Every document that may contain programs. */
export const pages: readonly string[] = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
  .map((file) => join("docs", file))
  .concat("README.md")
  .filter((file) => file.endsWith(".md"));

/** The programs of a page, in order: blocks of TypeScript, and the block of text below each. */
export function programsIn(page: string): readonly Program[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```$(?:\n\n```text\n([\s\S]*?)^```$)?/gm)].map(({ index, 1: code = "", 2: printed }) => ({
    line: text.slice(0, index).split("\n").length,
    code,
    printed,
  }));
}

/** Files that a page shows for its programs: blocks of JavaScript that start with a file name. */
export function filesShownIn(page: string): readonly { readonly name: string; readonly text: string }[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  return [...text.matchAll(/^```js\n\/\/ (\S+)\n([\s\S]*?)^```$/gm)].map(([, name = "", code = ""]) => ({ name, text: code }));
}
