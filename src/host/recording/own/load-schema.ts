import { errorWords, HarnessError, isObject, isShallow, type JsonObject } from "../../../pure/base/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import { readAdapterSchema, type SchemaFlaw } from "./adapter-schema.ts";
import { jsonLine, lineAt } from "./json-line.ts";
import type { AgentFile } from "./read-agent-file.ts";
import { schemaAgent } from "./schema-agent.ts";

/** The agent that the file describes, or one sentence that says where it is wrong. */
export function loadSchema(path: string, { bytes, sha256 }: AgentFile): Agent {
  const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
  const schema = parsed(path, text);
  const read = readAdapterSchema(schema);
  if (isFlawed(read)) throw wrong(path, text, read);
  return schemaAgent(read, { kind: "schema", path, sha256, schema });
}

/** The same from what a recording kept of it. */
export function keptSchema(origin: { readonly path: string; readonly sha256: string; readonly schema: JsonObject }): Agent {
  const read = readAdapterSchema(origin.schema);
  if (!isFlawed(read)) return schemaAgent(read, { kind: "schema", ...origin });
  const remedy = "read what was recorded with the `agent` generic, or with a schema of your own";
  throw new HarnessError("input", `The run's own copy of the schema ${origin.path} cannot be read any more; ${remedy}.`, {
    option: "agent",
  });
}

function parsed(path: string, text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const words = errorWords(error);
    const position = /at position (\d+)/.exec(words)?.[1];
    const line = lineAt(text, position === undefined ? text.length : Number(position));
    throw new HarnessError("usage", `${path}:${line}: This is not JSON; a schema is one JSON object.`, { cause: error });
  }
  if (!isObject(value)) throw new HarnessError("usage", `${path}:1: This is no JSON object; a schema is one.`);
  if (!isShallow(value)) throw new HarnessError("usage", `${path}:1: This is nested far too deeply for a schema.`);
  return value;
}

function isFlawed(read: ReturnType<typeof readAdapterSchema>): read is readonly SchemaFlaw[] {
  return Array.isArray(read);
}

function wrong(path: string, text: string, [first, ...others]: readonly SchemaFlaw[]): HarnessError {
  const place = first?.path ?? [];
  const more = others.length === 0 ? "" : ` (${others.length} more to come)`;
  return new HarnessError("usage", `${path}:${jsonLine(text, place)}: ${named(place)} ${first?.problem ?? "is wrong"}.${more}`);
}

/** `outputEvents[2].match.path` */
function named(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "The schema";
  return path.map((step, i) => (typeof step === "number" ? `[${step}]` : `${i === 0 ? "" : "."}${String(step)}`)).join("");
}
