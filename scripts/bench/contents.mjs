// Puts file contents and command outputs of typical size into Claude Code's lines.

/** Sizes of source files in bytes: a small module, a component, a test, a long file. `Read` returns them and `Edit` repeats them. */
const FILES = [3_000, 8_000, 15_000, 40_000, 11_000, 6_000, 22_000];
/** Sizes of command output in bytes: a listing, a search, a failing test. The CLI caps them at 30,000. */
const OUTPUTS = [400, 2_500, 9_000, 28_000];
/** Sizes of prose in bytes: messages and reasoning. */
const WORDS = [150, 600, 1_800];

const SOURCE = [
  'import { readFile } from "node:fs/promises";',
  "",
  "export async function load(path: string): Promise<Config> {",
  '  const text = await readFile(path, "utf8"); // may throw ENOENT',
  '  if (text.trim() === "") return { ...defaults };',
  "\treturn parse(text, { strict: true, name: describe(path) });",
  "}",
];

let turn = 0;

export function withEverydayContents(line) {
  const value = JSON.parse(line);
  const content = value.message?.content;
  if (Array.isArray(content)) for (const block of content) grow(block, value.tool_use_result);
  return JSON.stringify(value);
}

function grow(block, result) {
  if (block.type === "text") block.text += source(WORDS);
  if (block.type === "thinking") block.thinking += source(WORDS);
  if (block.type === "tool_use" && typeof block.input?.content === "string") block.input.content = source(FILES);
  if (block.type !== "tool_result" || typeof result !== "object" || result === null) return;
  if (typeof result.file?.content === "string") {
    result.file.content = source(FILES);
    block.content = result.file.content.replace(/^/gm, () => "  12\t");
  }
  if (typeof result.originalFile === "string") result.originalFile = source(FILES);
  if (result.type === "create") result.content = source(FILES);
  if (typeof result.stdout === "string" && result.stdout.length < 1_000) block.content = result.stdout = source(OUTPUTS);
}

function source(sizes) {
  const size = sizes[turn++ % sizes.length];
  const lines = [];
  for (let length = 0, i = turn; length < size; i++) {
    const line = SOURCE[i % SOURCE.length];
    lines.push(line);
    length += line.length + 1;
  }
  return lines.join("\n");
}
