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

/** The arguments from the first one on that is not an option. */
export function afterOptions(args: readonly Argument[], values: ReadonlySet<string>): readonly Argument[] {
  let at = 0;
  while (at < args.length) {
    const { value } = args[at] as Argument;
    if (value === "--") return args.slice(at + 1);
    if (!value.startsWith("-")) break;
    at += takesNext(value, values) ? 2 : 1;
  }
  return args.slice(at);
}

/** Whether the value of this option is the next argument. */
function takesNext(option: string, values: ReadonlySet<string>): boolean {
  if (option.startsWith("--")) return values.has(option.slice(2));
  for (let at = 1; at < option.length; at++) if (values.has(option.charAt(at))) return at === option.length - 1;
  return false;
}

/** The arguments of a program, separated as getopt does it. Options may follow operands. */
export interface Parsed {
  readonly operands: readonly Argument[];
  readonly has: (...names: readonly string[]) => boolean;
  /** The values of these options. */
  readonly valuesOf: (...names: readonly string[]) => readonly Argument[];
}

export function parsed(args: readonly Argument[], values: ReadonlySet<string>): Parsed {
  const operands: Argument[] = [];
  const options: { readonly name: string; readonly value?: Argument }[] = [];
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] as Argument;
    const { value } = argument;
    if (value === "--") {
      operands.push(...args.slice(at + 1));
      break;
    }
    if (!value.startsWith("-") || value === "-") operands.push(argument);
    else if (value.startsWith("--")) {
      const [name = "", ...rest] = value.slice(2).split("=");
      const next = rest.length > 0 ? tail(argument, name.length + 3) : values.has(name) ? args[++at] : undefined;
      options.push({ name, ...(next !== undefined && { value: next }) });
    } else at += letters(argument, args[at + 1], values, options);
  }
  return {
    operands,
    has: (...names) => options.some(({ name }) => names.includes(name)),
    valuesOf: (...names) => options.flatMap(({ name, value }) => (names.includes(name) && value !== undefined ? [value] : [])),
  };
}

/** Reads `-abc` and returns how many arguments after it belong to it. */
function letters(
  argument: Argument,
  next: Argument | undefined,
  values: ReadonlySet<string>,
  options: { readonly name: string; readonly value?: Argument }[],
): number {
  for (let at = 1; at < argument.value.length; at++) {
    const name = argument.value.charAt(at);
    if (!values.has(name)) options.push({ name });
    else if (at + 1 < argument.value.length) {
      options.push({ name, value: tail(argument, at + 1) });
      return 0;
    } else {
      options.push({ name, ...(next !== undefined && { value: next }) });
      return 1;
    }
  }
  return 0;
}

/** The rest of an argument, which is as known as the whole. */
export function tail(argument: Argument, from: number): Argument {
  const value = argument.value.slice(from);
  return { ...argument, text: value, value };
}
