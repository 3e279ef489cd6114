import type { Word, WordPart } from "unbash";

/** One word of a command, as far as it is known without running the shell. */
export interface Argument {
  /** As written, quotes included. */
  readonly text: string;
  /** Without quotes; expansions and globs stay as written. */
  readonly value: string;
  /** Contains a variable, so the value is not the real one. */
  readonly variable: boolean;
  /** Unquoted, so the shell may split it into several words or none: a variable, a glob, a brace list. */
  readonly splits: boolean;
  /** Expanding it runs something: `$(…)`, backticks, `<(…)`, arithmetic. We claim nothing about such a word. */
  readonly runs: boolean;
  /** Begins with `~` that the shell replaces by the home directory. */
  readonly home?: boolean;
  /** Stands for files that another program finds: `find src -exec cat {}`. */
  readonly found?: FoundFiles;
}

/** Every file in these places, or only those with such a name. */
export interface FoundFiles {
  readonly starts: readonly Argument[];
  readonly named?: string;
  /** Links among them are followed. */
  readonly follows?: boolean;
  /** Folders behind links are searched, too. */
  readonly descends?: boolean;
  /** One per line: a name with a blank in it becomes several. */
  readonly split?: boolean;
}

export function readArgument(word: Word): Argument {
  const { text } = word;
  // The parser computes a word's parts on request; most words are plain and need none.
  if (/^[\w./:=,+@%-]*$/.test(text)) return { text, value: text, variable: false, splits: false, runs: false };
  const { value, parts } = word;
  if (parts === undefined) return { text, value, variable: false, splits: false, runs: false };
  let variable = false;
  let splits = false;
  for (const part of parts) {
    if (!isQuiet(part)) return { text, value, variable: true, splits: true, runs: true };
    if (isVariable(part)) variable = splits = true;
    else if (part.type === "Glob" || part.type === "ExtendedGlob" || part.type === "BraceExpansion") splits = true;
    else if ((part.type === "DoubleQuoted" || part.type === "LocaleString") && part.parts.some(isVariable)) variable = true;
  }
  return { text, value, variable, splits, runs: false };
}

/** Whether expanding this part runs nothing. Searches nested text instead of parsing it: a false alarm only costs a `command`. */
export function isQuiet(part: WordPart): boolean {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
    case "SimpleExpansion":
      return true;
    case "DoubleQuoted":
    case "LocaleString":
      return part.parts.every(isQuiet);
    // `@` too: ${x@P} expands a prompt, which may hold a command substitution.
    case "ParameterExpansion":
      return !/[(`@]/.test(part.text);
    case "Glob":
    case "ExtendedGlob":
    case "BraceExpansion":
      return !/\$\(|`|[<>]\(/.test(part.text);
    default:
      return false;
  }
}

function isVariable(part: WordPart): boolean {
  return part.type === "SimpleExpansion" || part.type === "ParameterExpansion";
}
