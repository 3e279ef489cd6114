import { type ParsedScript, parse } from "unbash";
import type { Operation } from "../events/index.ts";
import type { Directory } from "./directory.ts";
import { mentionsMove } from "./moves.ts";
import { programName } from "./program-name.ts";
import { PROGRAMS } from "./programs/index.ts";
import { readStatements } from "./script.ts";
import { NEUTRAL } from "./simple-command.ts";
import { SHELLS, unwrapShell } from "./unwrap-shell.ts";
import { WRAPPERS } from "./wrappers.ts";

export interface Classification {
  /** All file operations, in order; or exactly one `command` with the command exactly as given. Never empty. */
  readonly operations: readonly Operation[];
  /**
   * The shell's directory after the command, for agents whose shell lives on. Absent: unchanged. `null`: changed to
   * something unknown. Else absolute, or relative to the start where `cwd` was not known.
   */
  readonly directory?: string | null;
}

/**
 * Linux passes no argument longer than this to a program (MAX_ARG_STRLEN), so no agent runs a longer `bash -c`. It leaves
 * room for a long here-document, which takes 3 ms.
 */
const LONGEST_COMMAND = 128 * 1024;

/**
 * From each of these the parser may look ahead to the end of the text: 131,072 times `{` took it a minute. What is
 * bounded is their number times the length, at half a second. The braces of code stand before a blank.
 */
const LOOKS_AHEAD = /\{(?![\s}])|\$\[|<</g;
const MOST_LOOKING_AHEAD = 2 ** 25;

/**
 * What a shell command does to files, as far as its text alone tells for certain. A compound command gives one operation
 * per part only if every part is a file operation; in any doubt the whole is one `command`. Never throws.
 */
export function classify(command: string, cwd?: string): Classification {
  return isPlainlyOther(command) && !mentionsMove(command) ? asCommand(command) : examine(command, cwd);
}

/** `classify` without the shortcut. @internal */
export function examine(command: string, cwd: string | undefined): Classification {
  if (isTooLong(command)) return giveUp(command);
  try {
    const outer = parse(command);
    const script = outer.errors?.length ? undefined : unwrapShell(outer);
    if (script === undefined) return examineScript(command, outer, cwd || undefined);
    // A `cd` inside `bash -c` ends with it.
    const { operations } =
      isPlainlyOther(script) || isTooLong(script) ? asCommand(command) : examineScript(command, parse(script), cwd || undefined);
    return { operations };
  } catch {
    // The parser limits most nesting, not all: `a() a() a() …` for some kilobytes overflows its stack.
    return giveUp(command);
  }
}

/** Whether reading it could take long. */
export function isTooLong(text: string): boolean {
  if (text.length > LONGEST_COMMAND) return true;
  if (text.length ** 2 < MOST_LOOKING_AHEAD) return false;
  return (text.match(LOOKS_AHEAD)?.length ?? 0) * text.length > MOST_LOOKING_AHEAD;
}

function examineScript(command: string, script: ParsedScript, cwd: Directory): Classification {
  if (script.errors?.length) return giveUp(command);
  const { operations, directory } = readStatements(script.commands, cwd);
  const result = operations === undefined || operations.length === 0 ? asCommand(command) : { operations };
  return directory === cwd || directory === undefined ? result : { ...result, directory };
}

/**
 * The shortcut: the first word is a plain program name, and one that no file operation starts with. Then some part is
 * no file operation, whatever comes after, and there is nothing to parse.
 */
export function isPlainlyOther(script: string): boolean {
  const word = /^[ \t\n]*([\w./+-]+)(?=[ \t\n;|&]|$)/.exec(script)?.[1];
  if (word === undefined) return false;
  const name = programName(word);
  if (name === undefined) return true;
  return !(PROGRAMS.has(name) || NEUTRAL.has(name) || WRAPPERS.has(name) || SHELLS.has(name) || name === "time");
}

function giveUp(command: string): Classification {
  return mentionsMove(command) ? { ...asCommand(command), directory: null } : asCommand(command);
}

function asCommand(command: string): Classification {
  return { operations: [{ kind: "command", command }] };
}
