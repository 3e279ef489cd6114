import type { Argument } from "./argument.ts";

/** The options of one program, without dashes: `-e` is `e`, `--regexp` is `regexp`. */
export interface OptionTable {
  /** Options that take a value, attached or in the next argument. */
  readonly values: ReadonlySet<string>;
  /** Options with a numeric value. Any other value means that we misread the command. */
  readonly counts: ReadonlySet<string>;
  /** Options that make the program do something else, so that the call is not understood. */
  readonly refused: ReadonlySet<string>;
  /** If given, an option listed nowhere is rejected too. */
  readonly flags: ReadonlySet<string> | undefined;
}

interface Option {
  /** `#` for the old `-20` of head and tail. */
  readonly name: string;
  readonly value?: Argument;
}

export interface ParsedOptions {
  readonly options: readonly Option[];
  readonly operands: readonly Argument[];
  /** The number of operands before `--`; all of them without one. */
  readonly beforeDashes: number;
}

/** Names are separated by spaces: `{ values: "e regexp" }`. */
export function optionTable(names: { values?: string; counts?: string; refused?: string; flags?: string }): OptionTable {
  return {
    values: setOf(names.values),
    counts: setOf(names.counts),
    refused: setOf(`help version ${names.refused ?? ""}`),
    flags: names.flags === undefined ? undefined : setOf(names.flags),
  };
}

/** Separates options from operands like getopt, also when options follow operands. `undefined`: not understood. */
export function parseOptions(args: readonly Argument[], table: OptionTable): ParsedOptions | undefined {
  const options: Option[] = [];
  const operands: Argument[] = [];
  let i = 0;
  while (i < args.length) {
    const argument = args[i++] as Argument;
    if (argument.value === "--") break;
    if (!argument.value.startsWith("-") || argument.value === "-") {
      operands.push(argument);
      continue;
    }
    for (const option of readOptions(argument, table)) {
      const value = option.value ?? (takesValue(option.name, table) ? args[i++] : undefined);
      const complete = value === undefined ? option : { name: option.name, value };
      if (!isUnderstood(complete, table)) return undefined;
      options.push(complete);
    }
  }
  return { options, operands: [...operands, ...args.slice(i)], beforeDashes: operands.length };
}

/** All values given for these names, in order. */
export function valuesOf(parsed: ParsedOptions, ...names: string[]): Argument[] {
  return parsed.options.flatMap((option) => (names.includes(option.name) && option.value !== undefined ? [option.value] : []));
}

export function hasOption(parsed: ParsedOptions, ...names: string[]): boolean {
  return parsed.options.some((option) => names.includes(option.name));
}

/** One argument with options: `--name`, `--name=value`, `-20`, or letters of which the last may carry its value: `-nA3`. */
function readOptions(argument: Argument, table: OptionTable): Option[] {
  const { value } = argument;
  if (value.startsWith("--")) {
    const equals = value.indexOf("=");
    if (equals === -1) return [{ name: value.slice(2) }];
    return [{ name: value.slice(2, equals), value: tailOf(argument, equals + 1) }];
  }
  if (/^-\d+$/.test(value)) return [{ name: "#", value: tailOf(argument, 1) }];
  const options: Option[] = [];
  for (let at = 1; at < value.length; at++) {
    const name = value.charAt(at);
    const attached = takesValue(name, table) && at + 1 < value.length;
    options.push(attached ? { name, value: tailOf(argument, at + 1) } : { name });
    if (attached) break;
  }
  return options;
}

function tailOf(argument: Argument, from: number): Argument {
  return { ...argument, text: argument.value.slice(from), value: argument.value.slice(from) };
}

function takesValue(name: string, table: OptionTable): boolean {
  return table.values.has(name) || table.counts.has(name);
}

function isUnderstood({ name, value }: Option, table: OptionTable): boolean {
  if (table.refused.has(name)) return false;
  if (table.counts.has(name)) return value !== undefined && /^\d+$/.test(value.value);
  if (table.values.has(name)) return value !== undefined;
  return table.flags === undefined || table.flags.has(name);
}

function setOf(names = ""): ReadonlySet<string> {
  return new Set(names.split(" ").filter((name) => name !== ""));
}
