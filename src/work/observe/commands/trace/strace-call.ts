import { bytesIn, unescaped } from "./c-string.ts";

/** A descriptor in a call, with the object that the system says it leads to: a path, `socket:[123]`, `pipe:[123]`. */
export interface ShownDescriptor {
  readonly fd: number;
  readonly path: string;
  /** The name it was opened by is gone, or it never had one. */
  readonly isNameless: boolean;
}

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
  /** The returned descriptor has no name. */
  readonly isNameless: boolean;
  readonly strings: (arg: string | undefined) => readonly string[];
  /** The bytes of the first string. */
  readonly bytes: (arg: string | undefined) => Buffer;
  /** The text in `<…>` after a descriptor. */
  readonly annotation: (arg: string | undefined) => string | undefined;
  readonly descriptors: (arg: string | undefined) => readonly ShownDescriptor[];
}

/** strace escapes `<` and `>` in a path, and `"` in either. */
const LITERAL = /"(?:[^"\\]|\\.)*"(?:\.\.\.)?|<(?:[^<>\\]|\\.)*>/gs;
const MARK = "\u0001";
const WHOLE = new RegExp(`^(\\w+)\\((.*)\\)\\s+= (-?\\d+|0x[0-9a-f]+|\\?)(?:${MARK}(\\d+)${MARK}(\\(deleted\\))?)?(?: (E[A-Z0-9]+))?`, "s");
const MARKED = new RegExp(`${MARK}(\\d+)${MARK}`, "g");
const DESCRIPTOR = new RegExp(`\\b(\\d+)${MARK}(\\d+)${MARK}(\\(deleted\\))?`, "g");

/** Undefined if the text is not a call we can read. */
export function straceCall(text: string): StraceCall | undefined {
  const literals: string[] = [];
  const skeleton = text.replace(LITERAL, (literal) => `${MARK}${literals.push(literal) - 1}${MARK}`);
  const parts = WHOLE.exec(skeleton);
  if (parts === null) return undefined;
  const [, name = "", args = "", result = "?", path, deleted, error] = parts;
  const literalsOf = (arg: string | undefined) => [...(arg ?? "").matchAll(MARKED)].map(([, index]) => literals[Number(index)] ?? "");
  const stringsOf = (arg: string | undefined) => literalsOf(arg).filter((literal) => literal.startsWith('"'));
  const content = (literal: string) => literal.slice(1, literal.lastIndexOf(literal.startsWith("<") ? ">" : '"'));
  const inner = (literal: string) => unescaped(content(literal));
  const annotated = path === undefined ? undefined : literals[Number(path)];
  return {
    name,
    args: split(args),
    ...(result !== "?" && { result: Number(result) }),
    ...(error !== undefined && { error }),
    ...(annotated?.startsWith("<") && { path: inner(annotated) }),
    isNameless: deleted !== undefined,
    strings: (arg) => stringsOf(arg).map((literal) => inner(literal) + (literal.endsWith("...") ? "..." : "")),
    bytes: (arg) => bytesIn(content(stringsOf(arg)[0] ?? '""')),
    annotation(arg) {
      const literal = literalsOf(arg).find((each) => each.startsWith("<"));
      return literal === undefined ? undefined : inner(literal);
    },
    descriptors: (arg) =>
      [...(arg ?? "").matchAll(DESCRIPTOR)].flatMap(([, fd, index, gone]) => {
        const literal = literals[Number(index)] ?? "";
        return literal.startsWith("<") ? [{ fd: Number(fd), path: inner(literal), isNameless: gone !== undefined }] : [];
      }),
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
