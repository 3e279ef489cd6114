import { both, type Directories, joined } from "./directories.ts";
import type { Value, Values } from "./words.ts";

/** The surroundings of a command: its directories and variables. */
export interface Place {
  now: Directories;
  /** The directories in which it continues if what was visited last fails. Undefined: the same. */
  failed?: Directories;
  values: Map<string, Value>;
  /** Functions that are defined here for sure. */
  functions: Set<string>;
  /** Variables that are never known. `*`: none is. */
  readonly lost: Set<string>;
  /** What follows runs only if it succeeds. */
  readonly isChained?: boolean;
}

export function startAt(now: Directories, lost: Place["lost"] = new Set()): Place {
  return { now, values: new Map(), functions: new Set(), lost };
}

/** The same place for a part that does not change it. */
export function fork({ now, values, functions, lost }: Place): Place {
  return { now, values: new Map(values), functions: new Set(functions), lost };
}

export function assign(place: Place, name: string, value: Value | undefined): void {
  if (value === undefined || place.lost.has("*") || place.lost.has(name)) place.values.delete(name);
  else place.values.set(name, value);
}

/** `isAll`: also those that stay numbers. */
export function forget(place: Place, names: ReadonlyMap<string, Value | undefined>, isAll = false): void {
  if (names.has("*")) place.values.clear();
  for (const [name, value] of names) {
    const before = place.values.get(name);
    const stays = !isAll && value === "number" && (before === "number" || (before !== undefined && /^-?\d{1,18}$/.test(before.text)));
    assign(place, name, stays ? "number" : undefined);
  }
}

/** Keeps the values that are the same in both. */
export function join(place: Place, other: Place): void {
  for (const [name, value] of place.values) if (!isSame(value, other.values.get(name))) place.values.delete(name);
  for (const name of place.functions) if (!other.functions.has(name)) place.functions.delete(name);
}

/** Either of them. */
export function unite(place: Place, other: Place): void {
  join(place, other);
  if (place.now !== other.now) place.now = both(place.now, other.now);
}

function isSame(one: Value, other: Value | undefined): boolean {
  if (one === "number" || other === "number" || other === undefined) return one === other;
  return one.text === other.text && one.isGlob === other.isGlob;
}

/** The variables that are known here; `PWD` and `HOME` are, unless the text sets them, which hides what follows. */
export function knownAt(
  place: Place,
  { directory, home }: { readonly directory?: string | undefined; readonly home?: string | undefined },
): Values {
  const [only, ...more] = place.now;
  const here =
    directory === undefined || typeof only !== "string" || more.length > 0
      ? undefined
      : { text: only === "" ? directory : joined(directory, only) };
  return { get: (name) => (name === "PWD" ? here : name === "HOME" && home !== undefined ? { text: home } : place.values.get(name)) };
}
