import { publishedSchemas as schemas } from "../../src/app/cli/published-schemas.ts";
import { flawOf } from "../../src/pure/base/shape.ts";

/** The path at which a record violates this schema, undeclared fields included; undefined if it is valid. */
export function strictFlaw(name: string, record: unknown): string | undefined {
  const schema = schemas[name];
  if (schema === undefined) throw new Error(`Unknown schema ${name}`);
  const flaw = flawOf(schema.shape, record, { strict: true });
  return flaw && `${flaw.join(".")} is invalid`;
}
