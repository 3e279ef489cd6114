import type { Argument, Command, Option } from "commander";
import { write } from "../../terminal/index.ts";
import { pathOf } from "../options/index.ts";
import { type Candidate, commandsOf, type Values, valuesFor } from "./values.ts";

/**
 * Answers a shell: one candidate per line, with a tab before its description, then `:files`, `:dirs` or `:none` for what the
 * shell is to complete by itself. The last word is the one to complete. What follows the equals sign of `--agent=cl` is
 * answered without what precedes it.
 */
export async function complete(program: Command, words: readonly string[]): Promise<void> {
  const current = words[words.length - 1] ?? "";
  const { values, prefix } = await answer(program, words.slice(0, -1), current);
  const candidates = typeof values === "string" ? [] : values.filter(([value]) => value.startsWith(prefix));
  const lines = candidates.map(([value, description]) => `${value}\t${description}`);
  await write([...lines, typeof values === "string" ? `:${values}` : ":none", ""].join("\n"));
}

interface Answer {
  readonly values: Values;
  /** What the candidates must start with. */
  readonly prefix: string;
}

async function answer(program: Command, before: readonly string[], current: string): Promise<Answer> {
  const { command, position, pending } = place(program, before);
  if (pending !== undefined) return { values: await valuesOf(pending, pending.long, program), prefix: current };
  const [flag = "", value] = current.split(/=(.*)/s);
  if (flag.startsWith("--") && value !== undefined) {
    const option = findOption(command, flag);
    return { values: option === undefined ? [] : await valuesOf(option, option.long, program), prefix: value };
  }
  if (current.startsWith("-")) return { values: flagsOf(command), prefix: current };
  const argument = command.registeredArguments[position] ?? command.registeredArguments.find(({ variadic }) => variadic);
  const operands = argument === undefined ? [] : await valuesOf(argument, `${pathOf(command)} ${argument.name()}`, program);
  if (typeof operands === "string" || position > 0) return { values: operands, prefix: current };
  return { values: [...commandsOf(command), ...operands], prefix: current };
}

interface Place {
  readonly command: Command;
  /** How many of its arguments have been given. */
  readonly position: number;
  /** The option whose value is being typed. */
  readonly pending: Option | undefined;
}

/** Where on the command line the words before the current one have led. */
function place(program: Command, before: readonly string[]): Place {
  let command = program;
  let position = 0;
  let pending: Option | undefined;
  for (const word of before) {
    if (pending !== undefined) {
      pending = undefined;
    } else if (word.startsWith("-") && word !== "-") {
      const option = findOption(command, word);
      pending = option?.required ? option : undefined;
    } else {
      const child = position === 0 ? command.commands.find((candidate) => candidate.name() === word) : undefined;
      if (child === undefined) position++;
      else command = child;
    }
  }
  return { command, position, pending };
}

async function valuesOf(what: Option | Argument, name: string | undefined, program: Command): Promise<Values> {
  if (what.argChoices !== undefined) return what.argChoices.map((choice) => [choice, ""]);
  return (await valuesFor[name ?? ""]?.(program)) ?? [];
}

function findOption(command: Command, flag: string): Option | undefined {
  return command.options.find(({ long, short }) => long === flag || short === flag);
}

function flagsOf(command: Command): readonly Candidate[] {
  const visible = command.createHelp().visibleOptions(command);
  return visible.map(({ long, short, description }) => [long ?? short ?? "", description]);
}
