import { isObject } from "./json.ts";

/**
 * Describes a value from outside once; its TypeScript type (`Static`), validator and JSON Schema all follow. We wrote our own because
 * loading zod takes 70 ms of CPU, too much for every start-up.
 */
export interface Shape<T> {
  /** The path to the first flaw; undefined if there is none. With `strict`, an undeclared field is a flaw too. */
  flaw(value: unknown, strict: boolean): Flaw | undefined;
  /** As JSON Schema, draft 2020-12. Named parts are collected in `parts`. */
  json(parts: Map<string, object>): JsonSchema;
  /** For objects and unions of objects: the same shape with more fields after the declared ones, which do not change. */
  extended?(more: Fields): Shape<unknown>;
  /** Carries the type; never set. */
  readonly static?: T;
}

/** The path of fields to the flaw; empty for the value itself. */
export type Flaw = readonly (string | number)[];

type JsonSchema = { readonly type?: string | readonly string[]; readonly [keyword: string]: unknown };

export type Static<S> = S extends Shape<infer T> ? T : never;

/** A field that may be left out. */
export interface Optional<T> extends Shape<T> {
  readonly isOptional: true;
}

export type Fields = { readonly [name: string]: Shape<unknown> };

export type ObjectOf<F> = Flat<
  { readonly [K in keyof F as F[K] extends Optional<unknown> ? never : K]: Static<F[K]> } & {
    readonly [K in keyof F as F[K] extends Optional<unknown> ? K : never]?: Static<F[K]> | undefined;
  }
>;

/** Flattens the type for editors and error messages. */
type Flat<T> = T extends infer O ? { [K in keyof O]: O[K] } : never;

export interface OneOf<T extends string> extends Shape<T> {
  readonly values: readonly T[];
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

// ── simple values ────────────────────────────────────────────────────────────────────────────────────────────────────

export function leaf<T>(json: JsonSchema, isIt: (value: unknown) => boolean): Shape<T> {
  return { flaw: (value) => (isIt(value) ? undefined : HERE), json: () => ({ ...json }) };
}

export const text = leaf<string>({ type: "string" }, (value) => typeof value === "string");
export const flag = leaf<boolean>({ type: "boolean" }, (value) => typeof value === "boolean");
export const number = leaf<number>({ type: "number" }, Number.isFinite);
export const integer = leaf<number>({ type: "integer" }, Number.isSafeInteger);
/** A count or position that we number ourselves. Numbers from an agent are not restricted. */
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

/** The version a record was written in. Any minor version is accepted, because later ones only add. */
export function versionLike<const V extends string>(version: V): Shape<V> {
  return matching(new RegExp(`^${version.split(".")[0]}\\.\\d+$`)) as Shape<unknown> as Shape<V>;
}

export function matching(pattern: RegExp): Shape<string> {
  return leaf({ type: "string", pattern: pattern.source }, (value) => typeof value === "string" && pattern.test(value));
}

export function oneOf<const T extends string>(...values: readonly T[]): OneOf<T> {
  const json = values.length === 1 ? { type: "string", const: values[0] } : { type: "string", enum: values };
  return { ...leaf<T>(json, (value) => (values as readonly unknown[]).includes(value)), values };
}

// ── composite values ─────────────────────────────────────────────────────────────────────────────────────────────────

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

/** An object with arbitrary field names and values of one shape. The published schema only allows the fields. */
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
        additionalProperties: true, // readers must survive additions of later versions
      };
    },
  };
}

/** Objects distinguished by the value of one field. */
export function union<const M extends readonly ObjectShape<Fields>[]>(key: string, members: M): Shape<Static<M[number]>> {
  return unionOf(key, () => members);
}

function unionOf<T>(key: string, members: () => readonly ObjectShape<Fields>[]): Shape<T> {
  const byValue = once(() => new Map(members().flatMap((member) => valuesOfField(member.fields[key]).map((value) => [value, member]))));
  return {
    flaw(value, strict) {
      const member = isObject(value) ? byValue().get(value[key] as string) : undefined;
      return member === undefined ? [key] : member.flaw(value, strict);
    },
    extended: (more) => unionOf(key, () => members().map((member) => member.extended(more))),
    json: (parts) => ({ oneOf: members().map((member) => member.json(parts)) }),
  };
}

function valuesOfField(shape: Shape<unknown> | undefined): readonly string[] {
  return shape !== undefined && "values" in shape ? (shape as OneOf<string>).values : [];
}

/** The objects that `variants` describes, or only those of some types. */
export type Variant<Own, Shared, Type extends keyof Own = keyof Own> = Type extends string & keyof Own
  ? ObjectOf<{ readonly type: OneOf<Type> } & Omit<Shared, keyof Own[Type]> & Own[Type]>
  : never;

/** Objects distinguished by `type`: each has its own fields, with the shared ones before or after them. */
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

/** The same shape, rejecting undeclared fields even if the shapes around it allow them. */
export function exactly<T>(shape: Shape<T>): Shape<T> {
  return { ...shape, flaw: (value) => shape.flaw(value, true) };
}

// ── descriptions ─────────────────────────────────────────────────────────────────────────────────────────────────────

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

/** A part that a schema defines once, under this name. */
export function named<S extends Shape<unknown>>(shape: S, name: string, description?: string): S {
  return {
    ...shape,
    json(parts) {
      if (!parts.has(name)) {
        const part = {};
        parts.set(name, part); // first, so that the part may refer to itself
        Object.assign(part, shape.json(parts), description !== undefined && { description });
      }
      return { $ref: `#/$defs/${name}` };
    },
  };
}

/** Shapes are built at every start and mostly not used, so derived values are computed on first use. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function without(fields: Fields = {}, others: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !Object.hasOwn(others, name)));
}
