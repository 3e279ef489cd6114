import { DURATION_FORM, HarnessError, isObject, parseDuration } from "../../pure/base/index.ts";

type Path = readonly (string | number)[];

/** A value of a scenario file with its place, so that an error can name the place. */
export interface Field {
  readonly value: unknown;
  readonly path: Path;
  /** An error about this value, as `file:line: turns[0].text …`. */
  wrong(message: string): HarnessError;
  child(key: string | number, value: unknown): Field;
}

/** The line of a value in the file, counted from 1. */
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

/** The keys of a mapping. Throws if a key is not allowed. */
export function keysOf(field: Field, allowed: readonly string[], what: string): Map<string, Field> {
  const found = entriesOf(field, what);
  for (const [key, child] of found) {
    if (!allowed.includes(key)) throw child.wrong(`is not a key of ${what}. Its keys are ${list(allowed)}.`);
  }
  return found;
}

/** A mapping with keys that the author chooses. */
export function entriesOf(field: Field, what: string): Map<string, Field> {
  if (!isObject(field.value)) throw field.wrong(`must be ${what}, written as keys with values.`);
  return new Map(Object.entries(field.value).map(([key, value]) => [key, field.child(key, value)]));
}

export function itemsOf(field: Field, what: string): readonly Field[] {
  if (!Array.isArray(field.value)) throw field.wrong(`must be a list of ${what}. Start each with "- ".`);
  return field.value.map((value, index) => field.child(index, value));
}

export function stringOf(field: Field): string {
  if (typeof field.value !== "string") throw field.wrong("must be text. Put it in quotes.");
  return field.value;
}

/** Text, or `{ repeat: "0123456789", times: 1000 }` for a long one. */
export function textOf(field: Field): string {
  if (!isObject(field.value)) return stringOf(field);
  const keys = keysOf(field, ["repeat", "times"], "a repeated text");
  const repeat = stringOf(required(field, keys, "repeat"));
  const times = countOf(required(field, keys, "times"));
  if (repeat.length * times > LONGEST) throw field.wrong(`is over ${LONGEST / 2 ** 20} MiB of text. Repeat it fewer times.`);
  return repeat.repeat(times);
}

const LONGEST = 64 * 2 ** 20;

export function required(parent: Field, keys: ReadonlyMap<string, Field>, key: string): Field {
  const field = keys.get(key);
  if (field === undefined) throw parent.wrong(`needs the key "${key}".`);
  return field;
}

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

export function oneOf<Name extends string>(field: Field, names: readonly Name[]): Name {
  const found = names.find((each) => each === field.value);
  if (found === undefined) throw field.wrong(`must be ${list(names, "or")}.`);
  return found;
}

export function list(names: readonly string[], conjunction = "and"): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${conjunction} ${names.at(-1)}`;
}

/** `turns[0].usage.input` */
function nameOf(path: Path): string {
  return path.reduce<string>((name, key) => (typeof key === "number" ? `${name}[${key}]` : name === "" ? key : `${name}.${key}`), "");
}
