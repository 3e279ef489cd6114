import type { ParameterExpansionPart, SimpleExpansionPart, Word, WordPart } from "unbash";
import type { Argument } from "../argument.ts";
import { plain } from "./arguments.ts";

/** What a variable contains, as far as the text shows: a text, one of the files of a glob, or some whole number. */
export type Value = { readonly text: string; readonly isGlob?: true } | "number";

/** The variables whose values are known. */
export type Values = Pick<ReadonlyMap<string, Value>, "get">;

/** The parts of a word as the shell joins them. */
interface Piece {
  readonly text: string;
  readonly quoted: boolean;
}

const GLOB = /[*?[]/;
const PLAIN = /^[\w./:=,+@%-]*$/;

/** A whole number, as far as it is known. */
const NUMBERS = new Set(["?", "#", "$", "!", "RANDOM", "SECONDS", "LINENO", "EPOCHSECONDS", "UID", "EUID", "PPID", "BASHPID"]);

export function isNumber(name: string, values: Values): boolean {
  const value = values.get(name);
  return NUMBERS.has(name) || value === "number" || (value !== undefined && /^-?\d{1,18}$/.test(value.text));
}

/** The arguments that the shell makes of a word: lists are written out, and variables replaced whose values the text shows. */
export function expanded(word: Word, values: Values): readonly Argument[] {
  const { text } = word;
  if (PLAIN.test(text)) return [plain(text)];
  const { parts } = word;
  if (parts === undefined) return [tilded({ ...plain(word.value), text }, text)];
  const listed = parts.some(({ type }) => type === "BraceExpansion") ? lists(parts) : undefined;
  if (listed !== undefined) return listed;
  const only = parts.length === 1 ? parts[0] : undefined;
  const inner = only?.type === "DoubleQuoted" && only.parts.length === 1 ? only.parts[0] : only;
  if (only?.type === "ProcessSubstitution") return [{ ...plain(only.operator === "<" ? "/dev/stdin" : "/dev/stdout"), text }];
  if (inner !== undefined && isVariable(inner)) {
    const value = contentOf(inner, values);
    if (value !== undefined && value !== "number") return substituted(value, text, only !== inner);
  }
  return [joined(parts, word, values)];
}

/** A word that is one variable. */
function substituted(value: Exclude<Value, "number">, text: string, isQuoted: boolean): readonly Argument[] {
  if (value.isGlob) return [{ ...plain(value.text), text, splits: true, variable: !isQuoted }]; // a name with a blank is split again
  if (isQuoted) return [{ ...plain(value.text), text }];
  return value.text
    .split(/[ \t\n]+/)
    .filter((part) => part !== "")
    .map((part) => ({ ...plain(part), splits: GLOB.test(part) }));
}

function joined(parts: readonly WordPart[], word: Word, values: Values): Argument {
  const { text } = word;
  const pieces: Piece[] = [];
  let [variable, splits, isGlob] = [false, false, false];
  const add = (part: WordPart, quoted: boolean): boolean => {
    switch (part.type) {
      case "Literal":
        pieces.push({ text: part.value, quoted: quoted || part.text !== part.value });
        return true;
      case "SingleQuoted":
      case "AnsiCQuoted":
        pieces.push({ text: part.value, quoted: true });
        return true;
      case "DoubleQuoted":
      case "LocaleString":
        return part.parts.every((each) => add(each, true));
      case "SimpleExpansion":
      case "ParameterExpansion": {
        const value = contentOf(part, values);
        const isUsable = value !== undefined && value !== "number" && !value.isGlob && (quoted || !/[\s*?[]/.test(value.text));
        if (isUsable) pieces.push({ text: value.text, quoted: true });
        else {
          pieces.push({ text: part.text, quoted: true });
          variable = true;
          splits ||= !quoted && value !== "number";
        }
        return part.type === "SimpleExpansion" || !/[(`]|@P/.test(part.text);
      }
      case "Glob":
        isGlob = true;
        pieces.push({ text: part.text, quoted: false });
        return !/\$|`/.test(part.text);
      default:
        return false;
    }
  };
  if (!parts.every((part) => add(part, false))) return { text, value: word.value, variable: true, splits: true, runs: true };
  const value = pieces.map((piece) => piece.text).join("");
  const isMixed = isGlob && pieces.some((piece) => piece.quoted && GLOB.test(piece.text));
  const own = { text, value, variable: variable || isMixed, splits: splits || isGlob, runs: false };
  return pieces[0]?.quoted === true ? own : tilded(own, pieces.map((piece) => (piece.quoted ? "" : piece.text)).join("\0"));
}

/** `~/x` is in the home directory; `~+`, `~user` and `of=~/x` are not followed. */
function tilded(argument: Argument, unquoted: string): Argument {
  if (/^~(?:\/|\0|$)/.test(unquoted) && /^~(?:\/|$)/.test(argument.value)) return { ...argument, home: true };
  return /^~|[=:]~/.test(unquoted) ? { ...argument, variable: true } : argument;
}

function isVariable(part: WordPart): part is SimpleExpansionPart | ParameterExpansionPart {
  return part.type === "SimpleExpansion" || part.type === "ParameterExpansion";
}

function contentOf(part: SimpleExpansionPart | ParameterExpansionPart, values: Values): Value | undefined {
  if (part.type === "SimpleExpansion") return known(part.text.slice(1), values);
  if (part.prefix === "#") return "number";
  if (part.prefix !== undefined || part.index !== undefined || part.operation !== undefined) return undefined;
  return known(part.parameter, values);
}

function known(name: string, values: Values): Value | undefined {
  return values.get(name) ?? (NUMBERS.has(name) ? "number" : undefined);
}

/** `a{b,c}d` and `{1..5}`, if the rest is plain. */
function lists(parts: readonly WordPart[]): readonly Argument[] | undefined {
  let all = [""];
  for (const part of parts) {
    const texts =
      part.type === "BraceExpansion" ? listOf(part.text) : part.type === "Literal" && PLAIN.test(part.text) ? [part.text] : undefined;
    if (texts === undefined || all.length * texts.length > 200) return undefined;
    all = all.flatMap((before) => texts.map((text) => before + text));
  }
  return all.map(plain);
}

function listOf(text: string): readonly string[] | undefined {
  const inner = text.slice(1, -1);
  const [, from, to] = /^(\d{1,4})\.\.(\d{1,4})$/.exec(inner) ?? [];
  if (from !== undefined && to !== undefined) {
    const [low, high] = [Number(from), Number(to)];
    return high < low || high - low > 100 ? undefined : Array.from({ length: high - low + 1 }, (_, at) => String(low + at));
  }
  return /^[\w./:=+@%-]*(?:,[\w./:=+@%-]*)+$/.test(inner) ? inner.split(",") : undefined;
}
