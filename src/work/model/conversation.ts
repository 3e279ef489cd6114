import { arrayOf, type JsonObject, objectOf, stringOf } from "../../pure/base/index.ts";

/** A tool that the request lets the model call. */
export interface OfferedTool {
  readonly name: string;
  /** If its dialect groups tools. */
  readonly namespace?: string;
  /** Its input is plain text, not JSON. */
  readonly isFreeform?: boolean;
  /** The freeform tool that takes JavaScript, in which the model calls this one: Codex's `exec`. */
  readonly within?: OfferedTool;
  /** The names of its parameters, if the request has a schema. */
  readonly parameters?: readonly string[];
}

/** The property names in a JSON schema of an object. */
export function parametersOf(schema: unknown): Pick<OfferedTool, "parameters"> {
  const properties = objectOf(objectOf(schema)?.["properties"]);
  return properties === undefined ? {} : { parameters: Object.keys(properties) };
}

/** The schema that the answer must satisfy, for a conversation. */
export function schemaOf(schema: unknown): Pick<Conversation, "schema"> {
  const found = objectOf(schema);
  return found === undefined ? {} : { schema: found };
}

/** One entry of the conversation so far, without system or developer messages. */
export type Said =
  | { readonly by: "user" | "tool"; readonly text: string }
  /** `answer`: the id of the answer it comes from, if its calls show it. */
  | { readonly by: "assistant"; readonly answer?: string };

/** The model's entry; we chose the ids of its calls. */
export function saidByModel(callIds: readonly unknown[]): Said {
  const answer = callIds.map((id) => (typeof id === "string" ? CALL_ID.exec(id)?.[1] : undefined)).find((id) => id !== undefined);
  return answer === undefined ? { by: "assistant" } : { by: "assistant", answer };
}

const CALL_ID = /^call_(\w+)_\d+$/;

/** A request for the model's next turn, in any dialect. */
export interface Conversation {
  readonly model: string;
  readonly isStream: boolean;
  readonly tools: readonly OfferedTool[];
  readonly said: readonly Said[];
  /** The JSON schema that the answer must satisfy, if the request has one. */
  readonly schema?: JsonObject;
}

/** Reads the form that OpenAI's and Anthropic's dialects share; undefined if the conversation is empty. */
export function conversationIn(
  body: JsonObject,
  items: readonly unknown[] | undefined,
  toolsOf: (tool: JsonObject) => readonly OfferedTool[],
  saidBy: (item: JsonObject) => readonly Said[],
  schema?: unknown,
): Conversation | undefined {
  return (
    items && {
      model: stringOf(body["model"]) ?? "",
      isStream: body["stream"] === true,
      tools: (arrayOf(body["tools"]) ?? []).flatMap((tool) => toolsOf(objectOf(tool) ?? {})),
      said: items.flatMap((item) => saidBy(objectOf(item) ?? {})),
      ...schemaOf(schema),
    }
  );
}

/** The texts in `[[…]]`, in order. */
export function markersIn(text: string): readonly string[] {
  return [...text.matchAll(/\[\[([A-Za-z0-9][A-Za-z0-9._/-]*)\]\]/g)].map((match) => match[1] ?? "");
}

/**
 * Counts the model's turns from `start`. One turn may have several entries (reasoning, text, calls), and other entries separate two turns.
 * Goose returns every call of a turn followed by its own result: those still count as one turn.
 */
export function turnsSince(said: readonly Said[], start: number): number {
  let turns = 0;
  let answer: string | undefined;
  for (let i = start; i < said.length; i++) {
    const each = said[i];
    if (each?.by !== "assistant") continue;
    if (said[i - 1]?.by !== "assistant" && (answer === undefined || each.answer !== answer)) turns++;
    answer = each.answer ?? answer;
  }
  return turns;
}

/** The last value of a field, such as `agent_id`, in the tools' results. */
export function fieldInResults(said: readonly Said[], name: string): string | undefined {
  const pattern = new RegExp(`"${name}"\\s*:\\s*"([^"\\\\]+)"`, "g");
  for (const each of said.toReversed()) {
    const found = each.by === "tool" ? [...each.text.matchAll(pattern)].at(-1)?.[1] : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
