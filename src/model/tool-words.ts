import { type Field, keysOf, required, textOf } from "./field.ts";
import type { Call } from "./scenario.ts";

/**
 * What a model can want of any agent, in one word. Each word lists the calls that do it, best first; which one is made
 * depends on the tools the agent offers, so that one scenario serves all of them. Names and inputs are those of Claude Code
 * 2.1.325 and Codex 0.166.0.
 */
export const toolWords: Readonly<Record<string, (argument: Field) => readonly Call[]>> = {
  /** run: npm test */
  run: (argument) => shell(textOf(argument)),

  /** read: src/app.js */
  read: (argument) => {
    const path = textOf(argument);
    return [{ name: "Read", input: { file_path: path } }, ...shell(`cat ${quoted(path)}`)];
  },

  /** write: { path: notes.txt, content: … } */
  write: (argument) => {
    const [path, content] = texts(argument, ["path", "content"], "a write");
    return [
      { name: "Write", input: { file_path: path, content } },
      { name: "apply_patch", input: patch(`*** Add File: ${path}`, lines(content, "+")) },
    ];
  },

  /** edit: { path: notes.txt, old: …, new: … } */
  edit: (argument) => {
    const [path, before, after] = texts(argument, ["path", "old", "new"], "an edit");
    return [
      { name: "Edit", input: { file_path: path, old_string: before, new_string: after } },
      { name: "apply_patch", input: patch(`*** Update File: ${path}`, ["@@", ...lines(before, "-"), ...lines(after, "+")]) },
    ];
  },

  /** search: { query: needle, path: src } */
  search: (argument) => {
    const [query, path] = texts(argument, ["query", "path"], "a search");
    return [{ name: "Grep", input: { pattern: query, path } }, ...shell(`grep -rn ${quoted(query)} ${quoted(path)}`)];
  },

  /** agent: "Count the lines. [[scenario/counter]]" */
  agent: (argument) => {
    const prompt = textOf(argument);
    const claude = { description: "Do a part of it", prompt, subagent_type: "general-purpose", run_in_background: false };
    return [
      { name: "Agent", input: claude },
      { name: "spawn_agent", input: { message: prompt } },
    ];
  },
};

function shell(command: string): readonly Call[] {
  return [
    { name: "Bash", input: { command, description: "Run a command" } },
    { name: "exec_command", input: { cmd: command } },
  ];
}

function texts<const Keys extends readonly string[]>(argument: Field, keys: Keys, what: string): { [Index in keyof Keys]: string } {
  const found = keysOf(argument, keys, what);
  return keys.map((key) => textOf(required(argument, found, key))) as { [Index in keyof Keys]: string };
}

function patch(header: string, body: readonly string[]): string {
  return ["*** Begin Patch", header, ...body, "*** End Patch"].join("\n");
}

function lines(text: string, mark: string): readonly string[] {
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `${mark}${line}`);
}

function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
