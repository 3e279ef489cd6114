import type { Argument, Command, Help, Option } from "commander";
import { wrap } from "../../../pure/base/index.ts";

/** A titled part of a command's help, below its options. An entry of "Examples" that is not a comment is run by the tests. */
export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Every help text fits a terminal of 80 columns. */
const WIDTH = 80;
const INDENT = "  ";
const LONGEST_TERM = 30;

const explanations = new WeakMap<Command, string>();
const sections = new WeakMap<Command, Section[]>();
const defaults = new WeakMap<Command, Command>();

/** Adds what one line cannot say; only the command's own help shows it. */
export function explain(command: Command, text: string): Command {
  explanations.set(command, text);
  return command;
}

export function explanationOf(command: Command): string {
  return explanations.get(command) ?? "";
}

export function addSection(command: Command, title: string, lines: readonly string[]): Command {
  sections.set(command, [...sectionsOf(command), { title, lines }]);
  const text = lines.flatMap((line) => line.split("\n")).map((line) => `${INDENT}${line}`);
  return command.addHelpText("after", `\n${title}:\n${text.join("\n")}`);
}

export function sectionsOf(command: Command): readonly Section[] {
  return sections.get(command) ?? [];
}

/** Adds the subcommand that runs if none is named. */
export function addDefault(parent: Command, child: Command): Command {
  defaults.set(parent, child);
  return parent.addCommand(child, { isDefault: true });
}

export function defaultOf(parent: Command): Command | undefined {
  return defaults.get(parent);
}

export function paragraph(text: string): readonly string[] {
  return wrap(text, WIDTH - INDENT.length);
}

export function definitions(rows: readonly (readonly [string | number, string])[]): readonly string[] {
  const terms = rows.map(([term]) => String(term)).filter((term) => term.length <= LONGEST_TERM);
  const column = Math.max(0, ...terms.map((term) => term.length)) + 2;
  return rows.flatMap(([term, meaning]) => {
    const lines = wrap(meaning, WIDTH - INDENT.length - column).map((line) => " ".repeat(column) + line);
    const [first = "", ...rest] = lines;
    return String(term).length <= LONGEST_TERM ? [`${String(term).padEnd(column)}${first.trimStart()}`, ...rest] : [String(term), ...lines];
  });
}

/** Two aligned columns of any width. */
export function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, meaning]) => `${name.padEnd(width)}  ${meaning}`);
}

/** `harness agents list` */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** How commander shows a command: without its aliases, and without the defaults of options that can be repeated. */
export const helpStyle: Partial<Help> = {
  commandUsage: (command) => `${pathOf(command)} ${command.usage()}`,
  commandDescription: (command) => [command.description(), explanationOf(command)].filter((text) => text !== "").join("\n\n"),
  subcommandTerm: (command) => command.name(),
  optionDescription: described,
  argumentDescription: described,
};

function described({ description, argChoices, defaultValue, defaultValueDescription }: Option | Argument): string {
  const choices = argChoices === undefined ? "" : `: ${argChoices.join(", ")}`;
  const isShown = defaultValue !== undefined && typeof defaultValue !== "boolean" && !Array.isArray(defaultValue);
  return `${description}${choices}${isShown ? ` (default: ${defaultValueDescription ?? defaultValue})` : ""}`;
}

/** Wide terminals get longer lines, up to a width that is still easy to read. */
export function helpWidth(columns: number | undefined): number {
  return Math.min(columns || WIDTH, 100);
}
