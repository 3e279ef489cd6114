import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./imports.ts";

/** A fenced block of a page. */
interface Block {
  readonly language: string;
  readonly line: number;
  readonly text: string;
}

/** A block of commands, and the lines that the page shows below it. */
export interface Step {
  readonly line: number;
  readonly commands: string;
  readonly shown: readonly string[];
}

/** Every Markdown file that people read. */
export const documents: readonly string[] = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".md"))
  .map((file) => join("docs", file))
  .concat(readdirSync(ROOT).filter((file) => file.endsWith(".md")))
  .sort();

export function textOf(document: string): string {
  return readFileSync(join(ROOT, document), "utf8");
}

export function blocksIn(text: string): readonly Block[] {
  return [...text.matchAll(/^( *)```([^\n]*)\n([\s\S]*?)^\1```$/gm)].map(({ index, 2: language = "", 3: block = "" }) => ({
    language: language.trim(),
    line: text.slice(0, index).split("\n").length,
    text: block,
  }));
}

/** `sh` blocks: the tests run all blocks of a page in one shell. */
export function stepsIn(text: string): readonly Step[] {
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$(?:\n\n```text\n([\s\S]*?)^```$)?/gm)].map(
    ({ index, 1: commands = "", 2: shown = "" }) => ({
      line: text.slice(0, index).split("\n").length,
      commands,
      shown: shown
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "" && line !== "…"), // lines that are left out
    }),
  );
}

/** `console` blocks: `$ command`, then exactly what it prints. */
export function sessionsIn(text: string): readonly { readonly command: string; readonly output: string }[] {
  return blocksIn(text)
    .filter(({ language }) => language === "console")
    .flatMap((block) => block.text.split(/^\$ /m).slice(1))
    .map((session) => {
      const [command = "", ...output] = session.split("\n");
      return { command, output: output.join("\n") };
    });
}
