import type { Assignment, Command, CommandArgument, Redirection } from "unbash";
import type { Operation } from "../events/index.ts";
import { type Argument, readArgument } from "./argument.ts";
import { type Call, type Effect, effectOf } from "./call.ts";
import { type Directory, locate } from "./directory.ts";
import { directoryAfter } from "./moves.ts";
import { programName } from "./program-name.ts";
import { PROGRAMS } from "./programs/index.ts";
import { readRedirections } from "./redirections.ts";
import { WRAPPERS } from "./wrappers.ts";

interface SimpleOutcome {
  /** `undefined`: not certainly a file operation. */
  readonly effect: Effect | undefined;
  /** It does nothing to files and does not affect the other parts. */
  readonly neutral: boolean;
  readonly directory: Directory;
}

/** Programs that do nothing to files and do not affect the other parts. */
export const NEUTRAL: ReadonlySet<string> = new Set(["cd", "true", ":"]);

/** One simple command: assignments, a program, its arguments, its redirections. */
export function readSimpleCommand(command: Command, directory: Directory, piped: boolean): SimpleOutcome {
  const words = command.args.map(readWord);
  const { program, args } = unwrap(command.name && programName(command.name.text), words);
  const after = directoryAfter(program, args, directory);
  const redirections = readRedirections(command.redirects);
  if (redirections === undefined || words.some((word) => word.runs) || !command.prefix.every(isQuietPrefix)) {
    return { effect: undefined, neutral: false, directory: after };
  }
  const call = { args, directory, input: redirections.input, piped };
  const neutral = program !== undefined && NEUTRAL.has(program);
  const effect = neutral || isBareRedirection(command) ? nothing(call) : PROGRAMS.get(program ?? "")?.(call);
  return { effect: effect && withWrites(effect, redirections.writes, directory), neutral, directory: after };
}

function nothing(call: Call): Effect | undefined {
  return call.piped ? undefined : effectOf([]);
}

/** `> file` empties a file. An assignment alone is not a file operation. */
function isBareRedirection(command: Command): boolean {
  return command.name === undefined && !command.prefix.some((part) => part.type === "Assignment");
}

function withWrites(effect: Effect, writes: readonly Argument[], directory: Directory): Effect {
  if (writes.length === 0) return effect;
  const written = writes.map((path): Operation => ({ kind: "write", path: locate(path, directory) }));
  return effectOf([...effect.operations, ...written]);
}

/** The program that finally runs, behind `timeout 5 env A=1 …`. Handles at most three wrappers. */
function unwrap(program: string | undefined, args: readonly Argument[], depth = 0): Program {
  const wrapper = program === undefined ? undefined : WRAPPERS.get(program);
  if (wrapper === undefined || depth === 3) return { program, args };
  const [name, ...rest] = wrapper(args) ?? [];
  return unwrap(name && programName(name.text), rest, depth + 1);
}

interface Program {
  readonly program: string | undefined;
  readonly args: readonly Argument[];
}

/** `export A=1` has assignments as arguments. No known program takes them. */
function readWord(word: CommandArgument): Argument {
  if (word.type === "Word") return readArgument(word);
  return { text: word.text, value: word.text, variable: true, splits: true, runs: true };
}

/** `LC_ALL=C grep …` changes nothing we report; a new PATH may change which program runs. */
function isQuietPrefix(part: Assignment | Redirection): boolean {
  if (part.type !== "Assignment") return true;
  if (/^(?:PATH|LD_.*|DYLD_.*|BASH_ENV|ENV)$/.test(part.name) || part.index !== undefined) return false;
  return part.value.type === "Word" && !readArgument(part.value).runs;
}
