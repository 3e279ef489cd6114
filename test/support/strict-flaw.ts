import { flawOf } from "../../src/pure/base/shape.ts";
import { schemas } from "../../src/work/schemas/schemas.ts";

/** Where a record is not what the schema of this name says, undeclared fields included; undefined: nowhere. */
export function strictFlaw(name: string, record: unknown): string | undefined {
  const schema = schemas[name];
  if (schema === undefined) throw new Error(`There is no schema called ${name}`);
  if ("zod" in schema) return schema.zod().safeParse(record).error?.message;
  const flaw = flawOf(schema.shape, record, { strict: true });
  return flaw && `${flaw.join(".")} is not what it should be`;
}
