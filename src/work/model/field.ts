import { DURATION_FORM, HarnessError, isObject, parseDuration } from "../../pure/base/index.ts";

type Path = readonly (string | number)[];

/** A value of a scenario file together with its place, so that whoever finds it wrong can say where. */
export interface Field {
  readonly value: unknown;
  readonly path: Path;
  /** The error that says what is wrong here, as `file:line: turns[0].text …`. */
  wrong(message: string): HarnessError;
  child(key: string | number, value: unknown): Field;
}

/** Where a place stands in the file: its first line, counted from 1. */
export type LineOf = (path: Path) => number;

export function rootField(value: unknown, file: string, lineOf: LineOf, name: string): Field {
  const at = (inner: unknown, path: Path): Field => ({
    value: inner,
    path,
    wrong: (message) => new HarnessError("input", `${file}:${lineOf(path)}: ${path.length === 0 ? name : nameOf(path)} ${message}`),
    child: (key, child) => at(child, [...path, key]),
  });
  return at(value, []);
}

/** The keys of a mapping. A key that is not allowed is a mistake, not something to be ignored. */
export function keysOf(field: Field, allowed: readonly string[], what: string): Map<string, Field> {
  const found = entriesOf(field, what);
  for (const [key, child] of found) {
    if (!allowed.includes(key)) throw child.wrong(`is not a key of ${what}; it has ${list(allowed)}.`);
  }
  return found;
}

/** A mapping whose keys are names of the author's choice. */
export function entriesOf(field: Field, what: string): Map<string, Field> {
  if (!isObject(field.value)) throw field.wrong(`must be ${what}: keys with values.`);
  return new Map(Object.entries(field.value).map(([key, value]) => [key, field.child(key, value)]));
}

export function itemsOf(field: Field, what: string): readonly Field[] {
  if (!Array.isArray(field.value)) throw field.wrong(`must be a list of ${what}; start each with "- ".`);
  return field.value.map((value, index) => field.child(index, value));
}

export function stringOf(field: Field): string {
  if (typeof field.value !== "string") throw field.wrong("must be text; put it in quotes.");
  return field.value;
}

/** Text, or `{ repeat: "0123456789", times: 1000 }` for text that nobody wants to read in a file. */
export function textOf(field: Field): string {
  if (!isObject(field.value)) return stringOf(field);
  const keys = keysOf(field, ["repeat", "times"], "a repeated text");
  const repeat = stringOf(required(field, keys, "repeat"));
  const times = countOf(required(field, keys, "times"));
  if (repeat.length * times > LONGEST) throw field.wrong(`is over ${LONGEST / 2 ** 20} MiB of text; repeat it less often.`);
  return repeat.repeat(times);
}

const LONGEST = 64 * 2 ** 20;

export function required(parent: Field, keys: ReadonlyMap<string, Field>, key: string): Field {
  const field = keys.get(key);
  if (field === undefined) throw parent.wrong(`needs the key "${key}".`);
  return field;
}

/** A whole number from `least` on. */
export function countOf(field: Field, least = 0): number {
  const { value } = field;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= least) return value;
  throw field.wrong(`must be a whole number, ${least} or more.`);
}

/** Milliseconds. */
export function durationOf(field: Field): number {
  const duration = typeof field.value === "string" || typeof field.value === "number" ? parseDuration(String(field.value)) : undefined;
  if (duration === undefined) throw field.wrong(`must be ${DURATION_FORM}.`);
  return duration;
}

export function oneOf<Word extends string>(field: Field, words: readonly Word[]): Word {
  const word = words.find((each) => each === field.value);
  if (word === undefined) throw field.wrong(`must be ${list(words, "or")}.`);
  return word;
}

export function list(words: readonly string[], conjunction = "and"): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${conjunction} ${words.at(-1)}`;
}

/** `turns[0].usage.input` */
function nameOf(path: Path): string {
  return path.reduce<string>((name, key) => (typeof key === "number" ? `${name}[${key}]` : name === "" ? key : `${name}.${key}`), "");
}
