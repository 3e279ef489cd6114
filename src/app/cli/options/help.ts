import type { Command } from "commander";
import { printable } from "../../../pure/base/index.ts";

/** A titled piece of help below a command's options. Lines starting with `harness` in "Examples" are run by the tests. */
export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

const sections = new WeakMap<Command, Section[]>();

export function addSection(command: Command, title: string, lines: readonly string[]): Command {
  sections.set(command, [...sectionsOf(command), { title, lines }]);
  return command.addHelpText("after", `\n${title}:\n${lines.map((line) => `  ${line}`).join("\n")}`);
}

export function sectionsOf(command: Command): readonly Section[] {
  return sections.get(command) ?? [];
}

/** Two aligned columns. */
export function columns(rows: readonly (readonly [string | number, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([name]) => String(name).length));
  return rows.map(([name, meaning]) => `${String(name).padEnd(width)}  ${meaning}`);
}

/** `harness agents list` */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** Commander's complaint as one line with the remedy: its own suggestion, or where to look. */
export function complaint(message: string, command: Command): string {
  const [what = "", suggestion] = message
    .replace(/^error: /, "")
    .trim()
    .split("\n(");
  const sentence = printable(what)
    .replaceAll("\n", "\\n")
    .replace(/[^.?!]$/, "$&.");
  const remedy =
    suggestion === undefined ? `Try "${pathOf(command)} --help".` : printable(suggestion).replaceAll("\n", "\\n").replace(/\)$/, "");
  return `harness: ${sentence.charAt(0).toUpperCase()}${sentence.slice(1)} ${remedy}\n`;
}
