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
  /** All file operations in order, or exactly one `command` with the text as given. Never empty. */
  readonly operations: readonly Operation[];
  /**
   * The shell's directory after the command, for agents whose shell stays open. Absent: unchanged. `null`: changed to an unknown place.
   * Else absolute, or relative to the start if `cwd` was not known.
   */
  readonly directory?: string | null;
}

/**
 * Linux passes no longer argument to a program (MAX_ARG_STRLEN), so no agent runs a longer `bash -c`. A here-document of this size
 * takes 3 ms.
 */
const LONGEST_COMMAND = 128 * 1024;

/**
 * At each of these the parser may look ahead to the end of the text: 131,072 times `{` took a minute. Their number times the text length
 * is limited to about half a second. Braces in code are followed by a blank and do not count.
 */
const LOOKS_AHEAD = /\{(?![\s}])|\$\[|<</g;
const MOST_LOOKING_AHEAD = 2 ** 25;

/**
 * What a shell command does to files, as far as its text alone proves it. A compound command gives one operation per part only if every
 * part is a file operation; in any doubt the whole is one `command`. Never throws.
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
    // The parser limits most nesting, but a few kilobytes of `a() a() a() …` overflow its stack.
    return giveUp(command);
  }
}

/** Whether parsing it could take long. */
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
 * The shortcut: the first word is a plain program name that starts no file operation. Then the whole cannot be file operations,
 * whatever follows, and need not be parsed.
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
