import { isBomb, isDeep, MAX_DEPTH } from "./bomb.ts";

/** Lenient readers for data from outside. Each returns `undefined` if the value does not have the requested type. */

export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A copy of plain data that shares no object with it. */
export function copied<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copied) as T;
  const copy = { ...value } as Record<string, unknown>;
  for (const name of Object.keys(copy)) {
    const field = copy[name];
    if (typeof field === "object" && field !== null) copy[name] = copied(field);
  }
  return copy as T;
}

/**
 * The only way to read JSON that another program or person wrote, other than `parseObject` and `parseLine`. Throws a `SyntaxError` if the
 * text is not JSON, nests too deeply, or has so many values that parsing it would take a second.
 */
export function parseJson(text: string): unknown {
  if (isBomb(text) || isDeep(text)) throw new SyntaxError("it nests too deeply, or has too many values");
  return JSON.parse(text);
}

/**
 * The text as a JSON object, if it is one. Text that nests too deeply is not parsed: that alone may take seconds, and no one could
 * serialise the result. Nor is text without braces around it: a parser that throws takes 15 µs, and a file may have a million such lines.
 */
export function parseObject(text: string): JsonObject | undefined {
  try {
    return !isInBraces(text) || isDeep(text) ? undefined : objectOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function isInBraces(text: string): boolean {
  let start = 0;
  let end = text.length - 1;
  while (isBlank(text.charCodeAt(start))) start++;
  if (text.charCodeAt(start) !== 0x7b) return false;
  while (isBlank(text.charCodeAt(end))) end--;
  return text.charCodeAt(end) === 0x7d;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

export function objectOf(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

export function arrayOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A non-empty string: an empty id or path carries no information. */
export function wordOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The first non-empty string under one of these keys: fields have moved between versions of every CLI. */
export function firstWord(object: JsonObject, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = object[key];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

/** The first finite number under one of these keys. */
export function firstNumber(object: JsonObject, keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const value = object[key];
    if (typeof value === "number" && Number.isFinite(value)) return value;
  }
  return undefined;
}

/** Every name a field has had, best first. */
export type Names = ReadonlyMap<string, number>;

export function names(...all: readonly string[]): Names {
  return new Map(all.map((name, rank) => [name, rank]));
}

/** `firstWord` for an object with few keys and a field with many names: checking each present key is cheaper than checking each name. */
export function wordNamed(object: JsonObject, known: Names): string | undefined {
  let best = Number.POSITIVE_INFINITY;
  let word: string | undefined;
  for (const key in object) {
    const rank = known.get(key);
    if (rank === undefined || rank > best) continue;
    const value = object[key];
    if (typeof value !== "string" || value === "") continue;
    best = rank;
    word = value;
  }
  return word;
}

/** `firstNumber`, optimised like `wordNamed`. */
export function numberNamed(object: JsonObject, known: Names): number | undefined {
  let best = Number.POSITIVE_INFINITY;
  let number: number | undefined;
  for (const key in object) {
    const rank = known.get(key);
    if (rank === undefined || rank > best) continue;
    const value = object[key];
    if (typeof value !== "number" || !Number.isFinite(value)) continue;
    best = rank;
    number = value;
  }
  return number;
}

/** The object without these keys. Keeps file contents out of published records. */
export function without(object: JsonObject, keys: readonly string[]): JsonObject {
  for (const key in object) if (keys.includes(key)) return copyWithout(object, keys);
  return object; // the usual case; a copy would cost more than the check
}

function copyWithout(object: JsonObject, keys: readonly string[]): JsonObject {
  const kept: Record<string, unknown> = {};
  for (const key in object) {
    if (keys.includes(key)) continue;
    if (key !== "__proto__") kept[key] = object[key];
    else Object.defineProperty(kept, key, { value: object[key], enumerable: true }); // assigning `__proto__` would set the prototype
  }
  return kept;
}

export { MAX_DEPTH };

/** Whether a value nests no deeper than `MAX_DEPTH`, which also bounds this function's recursion. */
export function isShallow(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depth >= MAX_DEPTH) return false;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!isShallow(value[i], depth + 1)) return false;
    return true;
  }
  for (const key in value) if (!isShallow((value as JsonObject)[key], depth + 1)) return false;
  return true;
}

/** Any JSON value as text. `String` throws for an object that has a field `toString`, and for a list that nests deeply. */
export function spelled(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  return isShallow(value) ? JSON.stringify(value) : TOO_DEEP;
}

/** Replaces a value that is nested too deeply to be serialised. */
export const TOO_DEEP = `(nested deeper than ${MAX_DEPTH} levels: see the raw bytes)`;

/** The value itself, or `TOO_DEEP`. */
export function shallow(value: unknown): unknown {
  return isShallow(value) ? value : TOO_DEEP;
}
