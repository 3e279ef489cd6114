import { unescaped } from "./c-string.ts";

/**
 * One finished system call, as `strace -y` prints it. Strings and the paths in `<…>` are extracted before anything is parsed, so that a
 * file name cannot be mistaken for syntax.
 */
export interface StraceCall {
  readonly name: string;
  /** With a placeholder for every string and path. */
  readonly args: readonly string[];
  /** Undefined if it is unknown, because the process was ended during the call. */
  readonly result?: number;
  readonly error?: string;
  /** The path of the returned descriptor. */
  readonly path?: string;
  readonly strings: (arg: string | undefined) => readonly string[];
  /** The text in `<…>` after a descriptor. */
  readonly annotation: (arg: string | undefined) => string | undefined;
}

/** strace escapes `<` and `>` in a path, and `"` in either. */
const LITERAL = /"(?:[^"\\]|\\.)*"(?:\.\.\.)?|<(?:[^<>\\]|\\.)*>/gs;
const MARK = "\u0001";
const WHOLE = new RegExp(`^(\\w+)\\((.*)\\)\\s+= (-?\\d+|0x[0-9a-f]+|\\?)(?:${MARK}(\\d+)${MARK})?(?: (E[A-Z0-9]+))?`, "s");
const MARKED = new RegExp(`${MARK}(\\d+)${MARK}`, "g");

/** Undefined if the text is not a call we can read. */
export function straceCall(text: string): StraceCall | undefined {
  const literals: string[] = [];
  const skeleton = text.replace(LITERAL, (literal) => `${MARK}${literals.push(literal) - 1}${MARK}`);
  const parts = WHOLE.exec(skeleton);
  if (parts === null) return undefined;
  const [, name = "", args = "", result = "?", path, error] = parts;
  const literalsOf = (arg: string | undefined) => [...(arg ?? "").matchAll(MARKED)].map(([, index]) => literals[Number(index)] ?? "");
  const inner = (literal: string) => unescaped(literal.slice(1, literal.lastIndexOf(literal.startsWith("<") ? ">" : '"')));
  const annotated = path === undefined ? undefined : literals[Number(path)];
  return {
    name,
    args: split(args),
    ...(result !== "?" && { result: Number(result) }),
    ...(error !== undefined && { error }),
    ...(annotated?.startsWith("<") && { path: inner(annotated) }),
    strings: (arg) =>
      literalsOf(arg)
        .filter((literal) => literal.startsWith('"'))
        .map((literal) => inner(literal) + (literal.endsWith("...") ? "..." : "")),
    annotation(arg) {
      const literal = literalsOf(arg).find((each) => each.startsWith("<"));
      return literal === undefined ? undefined : inner(literal);
    },
  };
}

/** Splits at the commas between arguments, not at those inside one. */
function split(args: string): readonly string[] {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < args.length; at++) {
    const char = args[at] ?? "";
    if ("([{".includes(char)) depth++;
    else if (")]}".includes(char)) depth--;
    else if (char === "," && depth === 0) {
      found.push(args.slice(from, at).trim());
      from = at + 1;
    }
  }
  return [...found, args.slice(from).trim()];
}
