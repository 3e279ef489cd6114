import type { Argument, Command, Option } from "commander";
import { write } from "../../terminal/index.ts";
import { defaultOf } from "../options/index.ts";
import { type Candidate, childOf, commandsOf, kindOf, kinds, type Values } from "./kinds.ts";

/**
 * Answers a shell: one candidate per line, with a tab before its description, then `:files`, `:dirs` or `:none` for what the shell
 * adds. The last argument is the one to complete. For `--agent=cl` the answer holds values only, without `--agent=`.
 */
export async function complete(program: Command, typed: readonly string[]): Promise<void> {
  const current = typed[typed.length - 1] ?? "";
  const { values, rest, prefix } = await answer(program, typed.slice(0, -1), current);
  const candidates = values.filter(([value]) => value.startsWith(prefix));
  const lines = candidates.map(([value, description]) => `${value}\t${description.replaceAll(/\s+/g, " ")}`);
  await write([...lines, `:${rest}`, ""].join("\n"));
}

interface Answer extends Values {
  /** Candidates must start with this. */
  readonly prefix: string;
}

async function answer(program: Command, before: readonly string[], current: string): Promise<Answer> {
  const { command, position, pending } = place(program, before);
  if (pending !== undefined) return { ...(await valuesOf(pending, current, program, before)), prefix: current };
  const [flag = "", value] = current.split(/=(.*)/s);
  if (flag.startsWith("--") && value !== undefined) {
    const option = findOption(command, flag);
    return { ...(option === undefined ? NOTHING : await valuesOf(option, value, program, before)), prefix: value };
  }
  if (current.startsWith("-")) return { values: flagsOf(command), rest: "none", prefix: current };
  const argument = command.registeredArguments[position] ?? command.registeredArguments.find(({ variadic }) => variadic);
  const { values, rest } = argument === undefined ? NOTHING : await valuesOf(argument, current, program, before);
  return { values: position > 0 ? values : [...commandsOf(command, current), ...values], rest, prefix: current };
}

const NOTHING: Values = { values: [], rest: "none" };

interface Place {
  readonly command: Command;
  /** How many of its arguments stand before the current one. */
  readonly position: number;
  /** The option that the current argument is the value of. */
  readonly pending: Option | undefined;
}

function place(program: Command, before: readonly string[]): Place {
  let command = program;
  let position = 0;
  let pending: Option | undefined;
  for (const arg of before) {
    if (pending !== undefined) {
      pending = undefined;
    } else if (arg.startsWith("-") && arg !== "-") {
      const option = findOption(command, arg);
      pending = option?.required ? option : undefined;
    } else {
      const child = position === 0 ? childOf(command, arg) : undefined;
      if (child === undefined) position++;
      else command = child;
    }
  }
  return { command, position, pending };
}

async function valuesOf(item: Option | Argument, typed: string, program: Command, before: readonly string[]): Promise<Values> {
  if (item.argChoices !== undefined) return { values: item.argChoices.map((choice) => [choice, ""]), rest: "none" };
  return (await kinds[kindOf(item) ?? ""]?.(typed, program, before)) ?? NOTHING;
}

/** A command with subcommands takes the options of its default one. */
function optionsOf(command: Command): readonly Option[] {
  const child = defaultOf(command);
  const help = command.createHelp();
  return [
    ...(child === undefined ? [] : help.visibleOptions(child).filter(({ long }) => long !== "--help")),
    ...help.visibleOptions(command),
  ];
}

function findOption(command: Command, flag: string): Option | undefined {
  return optionsOf(command).find(({ long, short }) => long === flag || short === flag);
}

function flagsOf(command: Command): readonly Candidate[] {
  return optionsOf(command).map(({ long, short, description }) => [long ?? short ?? "", description]);
}
