import type { Argument } from "../argument.ts";

/** The text shows exactly what the program gets. */
export function isKnown({ variable, splits, runs }: Argument): boolean {
  return !variable && !splits && !runs;
}

export function plain(value: string): Argument {
  return { text: value, value, variable: false, splits: false, runs: false };
}

/** An argument that another program adds: `xargs rm`. */
export const ADDED: Argument = { text: "…", value: "…", variable: true, splits: true, runs: false };

/** `/usr/bin/curl` and `curl.exe` are curl. */
export function bareName(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1).replace(/\.(?:exe|cmd)$/, "");
}

/** Names of options that take a value, separated by blanks: `n adjustment`. */
export function namesOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((name) => name !== ""));
}

/** What the value of an option is. */
type Role = "text" | "reads" | "writes";

/** The options that a program is known to have. `undefined`: it takes no value. */
export type Options = ReadonlyMap<string, Role | undefined>;

const ROLES: Readonly<Record<string, Role>> = { ":": "text", "<": "reads", ">": "writes" };

/** `-abc -n: -f< -o> --quiet --lines:`: letters and names; `:` takes a text, `<` a file that is read, `>` a file that is written. */
export function optionsOf(text: string): Options {
  const all = new Map<string, Role | undefined>();
  for (const word of namesOf(text)) {
    const [, dashes = "", names = "", mark = ""] = /^(--?)(.*?)([:<>]?)$/.exec(word) ?? [];
    for (const name of dashes === "--" ? [names] : names) all.set(name, ROLES[mark]);
  }
  return all;
}

/** The arguments of a program, separated as getopt does it. Options may follow operands. */
export interface Parsed {
  readonly operands: readonly Argument[];
  readonly has: (...names: readonly string[]) => boolean;
  /** The values of these options. */
  readonly valuesOf: (...names: readonly string[]) => readonly Argument[];
  /** The values of options that name files. */
  readonly files: readonly { readonly value: Argument; readonly role: "reads" | "writes" }[];
  /** The values of other options, if they are separate arguments: the shell may make several of one. */
  readonly texts: readonly Argument[];
  /** An option that the program is not known to have, or an argument that may become one. */
  readonly strange?: Argument;
}

interface Option {
  readonly name: string;
  readonly value?: Argument;
}

/** `isFirst`: the first operand ends the options. */
export function parsed(args: readonly Argument[], known: Options, isFirst = false): Parsed {
  const operands: Argument[] = [];
  const options: Option[] = [];
  let strange: Argument | undefined;
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] as Argument;
    const { value } = argument;
    if (mayBeOption(argument)) strange ??= argument;
    if (value === "--" || (isFirst && !/^-./.test(value))) {
      operands.push(...args.slice(value === "--" ? at + 1 : at));
      break;
    }
    if (!/^-./.test(value)) operands.push(argument);
    else if (value.startsWith("--")) {
      const [name = "", ...rest] = value.slice(2).split("=");
      if (!known.has(name)) strange ??= argument;
      const next = rest.length > 0 ? tail(argument, name.length + 3) : known.get(name) !== undefined ? args[++at] : undefined;
      options.push({ name, ...(next !== undefined && { value: next }) });
      if (rest.length === 0 && next !== undefined && isDoubtful(next)) strange ??= next;
    } else {
      const read = letters(argument, args[at + 1], known);
      options.push(...read.options);
      if (read.isStrange) strange ??= argument;
      at += read.used;
    }
  }
  const files = options.flatMap(({ name, value }) => {
    const role = known.get(name);
    return value === undefined || role === undefined || role === "text" ? [] : [{ value, role }];
  });
  const texts = options.flatMap(({ name, value }) =>
    value !== undefined && known.get(name) === "text" && args.includes(value) ? [value] : [],
  );
  return {
    operands,
    texts,
    has: (...names) => options.some(({ name }) => names.includes(name)),
    valuesOf: (...names) => options.flatMap(({ name, value }) => (names.includes(name) && value !== undefined ? [value] : [])),
    files,
    ...(strange !== undefined && { strange }),
  };
}

/** A variable or a list that may begin with a dash. */
function mayBeOption({ value, text, variable, runs, splits, found }: Argument): boolean {
  if (found !== undefined) return false;
  if (runs || (variable && splits)) return true;
  if (!variable) return splits && (value.startsWith("{") || (value.startsWith("-") && !/^--[\w-]+=/.test(value)));
  return !/^"?[\w./~:@%+,=^]/.test(text);
}

/** A value that looks like an option may be one: `git shortlog -n --output=x`, although `git log -n` takes a value. */
function isDoubtful({ value }: Argument): boolean {
  return /^-./.test(value) && !/^-\d+$/.test(value);
}

/** Reads `-abc`, and says how many arguments after it belong to it. */
function letters(argument: Argument, next: Argument | undefined, known: Options) {
  const options: Option[] = [];
  let isStrange = false;
  for (let at = 1; at < argument.value.length; at++) {
    const name = argument.value.charAt(at);
    if (!known.has(name)) isStrange = true;
    if (known.get(name) === undefined) options.push({ name });
    else if (at + 1 < argument.value.length) {
      options.push({ name, value: tail(argument, at + 1) });
      return { options, isStrange, used: 0 };
    } else {
      options.push({ name, ...(next !== undefined && { value: next }) });
      return { options, isStrange: isStrange || (next !== undefined && isDoubtful(next)), used: 1 };
    }
  }
  return { options, isStrange, used: 0 };
}

/** The rest of an argument, which is as known as the whole. */
export function tail(argument: Argument, from: number): Argument {
  const value = argument.value.slice(from);
  return { ...argument, text: value, value, home: false };
}
