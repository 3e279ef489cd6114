import { errorWords, HarnessError, isDeep, isObject, isShallow, type JsonObject, parseJson } from "../../../pure/base/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import { readAdapterSchema, type SchemaFlaw } from "./adapter-schema.ts";
import { jsonLine, lineAt } from "./json-line.ts";
import type { AgentFile } from "./read-agent-file.ts";
import { schemaAgent } from "./schema-agent.ts";

/** The agent that the file describes. Throws one sentence with the place of the first mistake. */
export function loadSchema(path: string, { bytes, sha256 }: AgentFile): Agent {
  const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
  const schema = parsed(path, text);
  const read = readAdapterSchema(schema);
  if (isFlawed(read)) throw wrong(path, text, read);
  return schemaAgent(read, { kind: "schema", path, sha256, schema });
}

/** The agent from the schema that a recording stored. */
export function keptSchema(origin: { readonly path: string; readonly sha256: string; readonly schema: JsonObject }): Agent {
  const read = readAdapterSchema(origin.schema);
  if (!isFlawed(read)) return schemaAgent(read, { kind: "schema", ...origin });
  const remedy = "Read the run with the `agent` generic, or with your own schema";
  throw new HarnessError("input", `The run's copy of the schema ${origin.path} can no longer be read. ${remedy}.`, {
    option: "agent",
  });
}

function parsed(path: string, text: string): JsonObject {
  const isTooDeep = () => new HarnessError("usage", `${path}:1: Nested too deeply for a schema.`);
  if (isDeep(text)) throw isTooDeep();
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    const message = errorWords(error);
    const position = /at position (\d+)/.exec(message)?.[1];
    const line = lineAt(text, position === undefined ? text.length : Number(position));
    throw new HarnessError("usage", `${path}:${line}: Not valid JSON. A schema is one JSON object.`, { cause: error });
  }
  if (!isObject(value)) throw new HarnessError("usage", `${path}:1: Not a JSON object. A schema is one.`);
  if (!isShallow(value)) throw isTooDeep();
  return value;
}

function isFlawed(read: ReturnType<typeof readAdapterSchema>): read is readonly SchemaFlaw[] {
  return Array.isArray(read);
}

function wrong(path: string, text: string, [first, ...others]: readonly SchemaFlaw[]): HarnessError {
  const place = first?.path ?? [];
  const more = others.length === 0 ? "" : ` (${others.length} more)`;
  return new HarnessError("usage", `${path}:${jsonLine(text, place)}: ${named(place)} ${first?.problem ?? "is wrong"}.${more}`);
}

/** `outputEvents[2].match.path` */
function named(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "The schema";
  return path.map((step, i) => (typeof step === "number" ? `[${step}]` : `${i === 0 ? "" : "."}${String(step)}`)).join("");
}
