import { isObject } from "./json.ts";

/**
 * What a value from outside must look like, described once: its TypeScript type (`Static`), its validator and its JSON Schema all follow
 * from the description. Our own language, because zod takes 70 ms of CPU to load, which no ordinary start-up should pay.
 */
export interface Shape<T> {
  /** The first place where the value is not of this shape; undefined: nowhere. `strict`: a field that is not declared is a flaw, too. */
  flaw(value: unknown, strict: boolean): Flaw | undefined;
  /** As JSON Schema, draft 2020-12. Parts with a name of their own are collected in `parts`. */
  json(parts: Map<string, object>): JsonSchema;
  /** Of objects and their unions: the same with more fields behind the declared ones, which stay what they are. */
  extended?(more: Fields): Shape<unknown>;
  /** Carries the type; never set. */
  readonly static?: T;
}

/** The fields that lead to what is wrong; empty for the value itself. */
export type Flaw = readonly (string | number)[];

type JsonSchema = { readonly type?: string | readonly string[]; readonly [keyword: string]: unknown };

export type Static<S> = S extends Shape<infer T> ? T : never;

/** A field that may be left out. */
export interface Optional<T> extends Shape<T> {
  readonly isOptional: true;
}

export type Fields = { readonly [name: string]: Shape<unknown> };

/** The object that has these fields. */
export type ObjectOf<F> = Flat<
  { readonly [K in keyof F as F[K] extends Optional<unknown> ? never : K]: Static<F[K]> } & {
    readonly [K in keyof F as F[K] extends Optional<unknown> ? K : never]?: Static<F[K]>;
  }
>;

/** Written out, as editors and error messages show it. */
type Flat<T> = T extends infer O ? { [K in keyof O]: O[K] } : never;

export interface Words<T extends string> extends Shape<T> {
  readonly words: readonly T[];
}

export interface ObjectShape<F> extends Shape<ObjectOf<F>> {
  readonly fields: F;
  extended(more: Fields): ObjectShape<Fields>;
}

const HERE: Flaw = [];

export function flawOf(shape: Shape<unknown>, value: unknown, options?: { readonly strict?: boolean }): Flaw | undefined {
  return shape.flaw(value, options?.strict === true);
}

export function fits<T>(shape: Shape<T>, value: unknown, options?: { readonly strict?: boolean }): value is T {
  return flawOf(shape, value, options) === undefined;
}

// ── what has no parts ────────────────────────────────────────────────────────────────────────────────────────────────

/** Anything that a JSON Schema can say and a function can check. */
export function leaf<T>(json: JsonSchema, isIt: (value: unknown) => boolean): Shape<T> {
  return { flaw: (value) => (isIt(value) ? undefined : HERE), json: () => ({ ...json }) };
}

export const text = leaf<string>({ type: "string" }, (value) => typeof value === "string");
export const flag = leaf<boolean>({ type: "boolean" }, (value) => typeof value === "boolean");
export const number = leaf<number>({ type: "number" }, Number.isFinite);
export const integer = leaf<number>({ type: "integer" }, Number.isSafeInteger);
/** A count or a position: what we number ourselves. Numbers that an agent declares are taken as they come. */
export const count = leaf<number>({ type: "integer", minimum: 0 }, (value) => Number.isSafeInteger(value) && Number(value) >= 0);
export const ordinal = leaf<number>({ type: "integer", minimum: 1 }, (value) => Number.isSafeInteger(value) && Number(value) >= 1);
export const anything = leaf<unknown>({}, () => true);
export const anyObject = leaf<Readonly<Record<string, unknown>>>(
  { type: "object", propertyNames: { type: "string" }, additionalProperties: true },
  isObject,
);
export const epochMs = described(integer, "Milliseconds since the Unix epoch");
/** Present and true, or absent. */
export const yes = optional(leaf<true>({ type: "boolean", const: true }, (value) => value === true));

/** ISO 8601, in UTC. */
export const isoTime = leaf<string>({ type: "string", format: "date-time" }, (value) => typeof value === "string" && ISO.test(value));
const ISO = /^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** The version a record was written in. Any of the same first number is read: later ones only add. */
export function versionLike<const V extends string>(version: V): Shape<V> {
  return matching(new RegExp(`^${version.split(".")[0]}\\.\\d+$`)) as Shape<unknown> as Shape<V>;
}

export function matching(pattern: RegExp): Shape<string> {
  return leaf({ type: "string", pattern: pattern.source }, (value) => typeof value === "string" && pattern.test(value));
}

export function oneOf<const T extends string>(...words: readonly T[]): Words<T> {
  const json = words.length === 1 ? { type: "string", const: words[0] } : { type: "string", enum: words };
  return { ...leaf<T>(json, (value) => (words as readonly unknown[]).includes(value)), words };
}

// ── what has parts ───────────────────────────────────────────────────────────────────────────────────────────────────

export function optional<T>(shape: Shape<T>, description?: string): Optional<T> {
  return {
    flaw: (value, strict) => (value === undefined ? undefined : shape.flaw(value, strict)),
    json(parts) {
      const json = shape.json(parts);
      return description === undefined ? json : Object.assign({ description }, json, { description });
    },
    isOptional: true,
  };
}

export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return {
    flaw: (value, strict) => (value === null ? undefined : shape.flaw(value, strict)),
    json: (parts) => oneOrOther(shape.json(parts), { type: "null" }),
  };
}

export function list<T>(shape: Shape<T>): Shape<readonly T[]> {
  return {
    flaw(value, strict) {
      if (!Array.isArray(value)) return HERE;
      for (let i = 0; i < value.length; i++) {
        const flaw = shape.flaw(value[i], strict);
        if (flaw !== undefined) return [i, ...flaw];
      }
      return undefined;
    },
    json: (parts) => ({ type: "array", items: shape.json(parts) }),
  };
}

/** An object with fields of any name, all of one shape; the published schema says of them only that they may be there. */
export function valuesOf<T>(shape: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return {
    flaw(value, strict) {
      if (!isObject(value)) return HERE;
      for (const name of Object.keys(value)) {
        const flaw = shape.flaw(value[name], strict);
        if (flaw !== undefined) return [name, ...flaw];
      }
      return undefined;
    },
    json: (parts) => anyObject.json(parts),
  };
}

export function object<F extends Fields>(fields: F): ObjectShape<F> {
  const all = once(() => Object.entries(fields));
  return {
    fields,
    extended: (more) => object({ ...fields, ...without(more, fields) }),
    flaw(value, strict) {
      if (!isObject(value)) return HERE;
      for (const [name, shape] of all()) {
        const flaw = shape.flaw(value[name], strict);
        if (flaw !== undefined) return [name, ...flaw];
      }
      if (strict) for (const name of Object.keys(value)) if (!Object.hasOwn(fields, name)) return [name];
      return undefined;
    },
    json(parts) {
      const required = all().flatMap(([name, shape]) => ("isOptional" in shape ? [] : [name]));
      return {
        type: "object",
        properties: Object.fromEntries(all().map(([name, shape]) => [name, shape.json(parts)])),
        ...(required.length > 0 && { required }),
        additionalProperties: true, // a reader must survive what a later version adds
      };
    },
  };
}

/** Objects that the word in one of their fields tells apart. */
export function union<const M extends readonly ObjectShape<Fields>[]>(key: string, members: M): Shape<Static<M[number]>> {
  return unionOf(key, () => members);
}

function unionOf<T>(key: string, members: () => readonly ObjectShape<Fields>[]): Shape<T> {
  const byWord = once(() => new Map(members().flatMap((member) => wordsOf(member.fields[key]).map((word) => [word, member]))));
  return {
    flaw(value, strict) {
      const member = isObject(value) ? byWord().get(value[key] as string) : undefined;
      return member === undefined ? [key] : member.flaw(value, strict);
    },
    extended: (more) => unionOf(key, () => members().map((member) => member.extended(more))),
    json: (parts) => ({ oneOf: members().map((member) => member.json(parts)) }),
  };
}

function wordsOf(shape: Shape<unknown> | undefined): readonly string[] {
  return shape !== undefined && "words" in shape ? (shape as Words<string>).words : [];
}

/** The objects that `variants` describes, or those of some words only. */
export type Variant<Own, Shared, Word extends keyof Own = keyof Own> = Word extends string & keyof Own
  ? ObjectOf<{ readonly type: Words<Word> } & Omit<Shared, keyof Own[Word]> & Own[Word]>
  : never;

/** Objects that their `type` tells apart: each has its own fields, and those that all of them share, before or behind its own. */
export function variants<Own extends Readonly<Record<string, Fields>>, Before extends Fields, After extends Fields = Record<never, never>>(
  own: Own,
  before: Before,
  after?: After,
): Shape<Variant<Own, Before & After>> {
  const members = once(() =>
    Object.entries(own).map(([type, fields]) =>
      object({ type: oneOf(type), ...without(before, fields), ...fields, ...without(after, fields) }),
    ),
  );
  return unionOf("type", members);
}

/** One shape or another, whichever fits. */
export function either<A, B>(one: Shape<A>, other: Shape<B>): Shape<A | B> {
  return {
    flaw: (value, strict) => (one.flaw(value, strict) === undefined ? undefined : other.flaw(value, strict)),
    json: (parts) => oneOrOther(one.json(parts), other.json(parts)),
  };
}

function oneOrOther(...both: readonly JsonSchema[]): JsonSchema {
  const isBare = both.every((json) => typeof json.type === "string" && Object.keys(json).length === 1);
  return isBare ? { type: both.map(({ type }) => String(type)) } : { anyOf: both };
}

/** The same, with no undeclared field, also where other shapes around it allow them. */
export function exactly<T>(shape: Shape<T>): Shape<T> {
  return { ...shape, flaw: (value) => shape.flaw(value, true) };
}

// ── words for readers ────────────────────────────────────────────────────────────────────────────────────────────────

export function described<S extends Shape<unknown>>(shape: S, description: string): S {
  return {
    ...shape,
    ...(shape.extended && { extended: (more: Fields) => described(shape.extended?.(more) ?? shape, description) }),
    json(parts) {
      const json = shape.json(parts);
      return Array.isArray(json.type) || "isOptional" in shape ? { description, ...json } : { ...json, description };
    },
  };
}

/** A part that a schema holds once, under this name. */
export function named<S extends Shape<unknown>>(shape: S, name: string, description?: string): S {
  return {
    ...shape,
    json(parts) {
      if (!parts.has(name)) {
        const part = {};
        parts.set(name, part); // before the parts in it
        Object.assign(part, shape.json(parts), description !== undefined && { description });
      }
      return { $ref: `#/$defs/${name}` };
    },
  };
}

/** Descriptions are made at every start, and mostly not used: what follows from one waits until it is. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function without(fields: Fields = {}, others: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !Object.hasOwn(others, name)));
}
