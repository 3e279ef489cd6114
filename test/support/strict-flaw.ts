import { publishedSchemas as schemas } from "../../src/app/cli/published-schemas.ts";
import { flawOf } from "../../src/pure/base/shape.ts";

/** Where a record is not what the schema of this name says, undeclared fields included; undefined: nowhere. */
export function strictFlaw(name: string, record: unknown): string | undefined {
  const schema = schemas[name];
  if (schema === undefined) throw new Error(`There is no schema called ${name}`);
  const flaw = flawOf(schema.shape, record, { strict: true });
  return flaw && `${flaw.join(".")} is not what it should be`;
}
