import { isObject, type JsonObject } from "../../../src/pure/base/json.ts";

/** A JSON Schema, as far as ours use it. */
interface Json {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Json[];
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
  readonly items?: Json;
  readonly not?: object;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Json>>;
}

/** One break: the path, what happened to it, and the whole value with it. */
export interface Mutant {
  readonly path: string;
  readonly how: string;
  readonly value: unknown;
}

/** Every break of a value that its schema suggests: fields removed, added, of a different type, and different values of the same type. */
export function mutants(schema: Json, value: unknown): readonly Mutant[] {
  return [...broken(schema, value, "", schema.$defs ?? {})];
}

function* broken(given: Json, value: unknown, path: string, parts: NonNullable<Json["$defs"]>): Generator<Mutant> {
  const schema = resolved(given, parts);
  for (const other of schema.anyOf ?? []) {
    if (accepts(resolved(other, parts), value)) yield* broken(other, value, path, parts);
    else yield { path, how: "= another type", value: example(other, parts) };
  }
  if (schema.anyOf !== undefined) return;
  if (isObject(value)) yield* inObject(schema, value, path, parts);
  else if (Array.isArray(value)) yield* inArray(schema, value, path, parts);
  else yield* inLeaf(schema, value, path, parts);
}

function* inObject(schema: Json, value: JsonObject, path: string, parts: NonNullable<Json["$defs"]>): Generator<Mutant> {
  const keys = schema.properties === undefined ? Object.keys(value) : Object.keys(schema.properties);
  for (const key of keys) {
    const here = path === "" ? key : `${path}.${key}`;
    const shape = schema.properties?.[key] ?? {};
    if (!(key in value)) {
      yield { path: here, how: "is invented", value: { ...value, [key]: example(shape, parts) } };
      continue;
    }
    const { [key]: old, ...rest } = value;
    yield { path: here, how: "is removed", value: rest };
    for (const each of broken(shape, old, here, parts)) yield { ...each, value: { ...value, [key]: each.value } };
  }
  yield { path, how: "has a field more", value: { ...value, more: 1 } };
}

function* inArray(schema: Json, value: readonly unknown[], path: string, parts: NonNullable<Json["$defs"]>): Generator<Mutant> {
  const items = schema.items ?? {};
  for (const [index, each] of value.entries()) {
    const here = `${path}[${index}]`;
    yield { path: here, how: "is removed", value: value.toSpliced(index, 1) };
    yield { path: here, how: "is repeated", value: value.toSpliced(index, 0, each) };
    for (const other of broken(items, each, here, parts)) yield { ...other, value: value.with(index, other.value) };
  }
  if (value.length > 1) yield { path, how: "is reversed", value: value.toReversed() };
  yield { path, how: "has an item more", value: [...value, example(items, parts)] };
}

function* inLeaf(schema: Json, value: unknown, path: string, parts: NonNullable<Json["$defs"]>): Generator<Mutant> {
  for (const other of schema.enum ?? []) if (other !== value) yield { path, how: `= ${String(other)}`, value: other };
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  for (const type of types.filter((type) => !accepts({ type }, value)))
    yield { path, how: "= another type", value: example({ type }, parts) };
  if (typeof value === "string") {
    if (/^\d{4}-\d\d-\d\dT/.test(value)) {
      yield { path, how: "= a day later", value: new Date(Date.parse(value) + 86_400_000).toISOString() };
      yield { path, how: "= a millisecond later", value: new Date(Date.parse(value) + 1).toISOString() };
    }
    if (/\d/.test(value))
      yield { path, how: "has a different digit", value: value.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)) };
    for (const other of [`${value}x`, "", null, 7])
      if (other !== value) yield { path, how: `= ${other === `${value}x` ? "longer" : String(other)}`, value: other };
  } else if (typeof value === "number")
    for (const other of [value + 1, 0, null, "unknown"])
      if (other !== value) yield { path, how: `= ${String(other)}`, value: other };
      else if (typeof value === "boolean") yield { path, how: "is negated", value: !value };
      else for (const other of ["x", 1]) yield { path, how: `= ${other}`, value: other };
}

function resolved(schema: Json, parts: NonNullable<Json["$defs"]>): Json {
  return schema.$ref === undefined ? schema : (parts[schema.$ref.replace("#/$defs/", "")] ?? {});
}

function accepts({ type, const: only, enum: some }: Json, value: unknown): boolean {
  if (only !== undefined) return value === only;
  if (some !== undefined) return some.includes(value);
  const types = typeof type === "string" ? [type] : (type ?? []);
  const own = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return types.length === 0 || types.includes(own) || (types.includes("integer") && Number.isInteger(value));
}

/** The smallest value that the schema accepts. */
function example(given: Json, parts: NonNullable<Json["$defs"]>): unknown {
  const schema = resolved(given, parts);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf !== undefined) return example(schema.anyOf[0] ?? {}, parts);
  const [type] = typeof schema.type === "string" ? [schema.type] : (schema.type ?? ["string"]);
  if (type === "object")
    return Object.fromEntries((schema.required ?? []).map((key) => [key, example(schema.properties?.[key] ?? {}, parts)]));
  if (type === "array") return [];
  if (type === "null") return null;
  if (type === "boolean") return true;
  return type === "number" || type === "integer" ? 1 : "invented";
}
