import type { Shape } from "./shape.ts";

/** A published format, described for programs. */
export interface Schema {
  /** The minor number grows with additions, the major number with changes of meaning. */
  readonly version: string;
  readonly title: string;
  readonly shape: Shape<unknown>;
  /** The published JSON Schema, draft 2020-12. Unknown keys pass, so that readers survive additions of later versions. */
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
