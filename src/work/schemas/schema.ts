import { type infer as Infer, toJSONSchema, type ZodType, z } from "zod";

/** A published format: what a record of it looks like, for machines. */
export interface Schema {
  /** The second number grows with additions, the first with changes of meaning. */
  readonly version: string;
  readonly title: string;
  /** The published JSON Schema, draft 2020-12. Unknown keys pass: a reader must survive what a later version adds. */
  json(): object;
  /** The same definition, strict: a key that is not declared fails. */
  zod(): ZodType;
}

/** How objects are made: the one thing in which the strict and the published schema differ. */
export type ObjectOf = typeof z.strictObject;

export interface Definition<T extends ZodType> {
  readonly name: string;
  readonly version: string;
  readonly title: string;
  readonly description: string;
  readonly record: (object: ObjectOf) => T;
}

/** Nothing is built before it is asked for, and then once. */
export function schema<T extends ZodType>({ name, version, title, description, record }: Definition<T>): Schema {
  let json: object | undefined;
  let strict: ZodType | undefined;
  return {
    version,
    title,
    json: () => (json ??= { $schema: DRAFT, $id: `urn:harness:schema:${name}:${version}`, title, description, ...body(record) }),
    zod: () => (strict ??= record(z.strictObject)),
  };
}

/** The record that a definition describes, for comparing it with the view's own type. */
export type RecordOf<T extends (object: ObjectOf) => ZodType> = Infer<ReturnType<T>>;

const DRAFT = "https://json-schema.org/draft/2020-12/schema";

function body(record: (object: ObjectOf) => ZodType): object {
  const { $schema: _, ...rest } = toJSONSchema(record(z.looseObject), {
    override: ({ jsonSchema }) => tidy(jsonSchema),
  });
  return rest;
}

/** Leaves out what says nothing to a reader: the limits of JavaScript's integers, and the pattern behind a named format. */
function tidy(node: { minimum?: number; maximum?: number; format?: string; pattern?: string; additionalProperties?: unknown }): void {
  if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
  if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
  if (node.format !== undefined) delete node.pattern;
  if (node.additionalProperties !== undefined) node.additionalProperties = true;
}
