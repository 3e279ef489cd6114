import type { Shape } from "./shape.ts";

/** A published format: what a record of it looks like, for machines. */
export interface Schema {
  /** The second number grows with additions, the first with changes of meaning. */
  readonly version: string;
  readonly title: string;
  readonly shape: Shape<unknown>;
  /** The published JSON Schema, draft 2020-12. Unknown keys pass: a reader must survive what a later version adds. */
  json(): object;
}

interface Definition extends Omit<Schema, "json"> {
  readonly name: string;
  readonly description: string;
}

export function schema({ name, version, title, description, shape }: Definition): Schema {
  function json(): object {
    const parts = new Map<string, object>();
    const head = { $schema: DRAFT, $id: `urn:harness:schema:${name}:${version}`, title, description };
    const body = shape.json(parts);
    return { ...head, ...body, ...(parts.size > 0 && { $defs: Object.fromEntries(parts) }) };
  }
  return { version, title, shape, json };
}

const DRAFT = "https://json-schema.org/draft/2020-12/schema";
