// Filters the agent's lines for the protocol's library, which closes on a line that is too long and prints what it does not know.
import { isObject, type JsonObject, numberOf, objectOf, wordOf } from "../../../pure/base/index.ts";
import type { Line } from "../../../pure/events/index.ts";
import { parseLine } from "../../../pure/pipeline/index.ts";

export type Id = string | number | null;

export type Message =
  | { readonly type: "request"; readonly id: Id; readonly method: string; readonly params: JsonObject }
  | { readonly type: "response"; readonly id: Id; readonly body: Answer }
  | { readonly type: "notification"; readonly method: string; readonly params: JsonObject };

export type Answer = { readonly result: unknown } | { readonly error: RpcError };

interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

const INTERNAL_ERROR = -32603;

/** Undefined for a line that is not a message; the log still records it. */
export function messageOf(line: Line): Message | undefined {
  const value = line.oversize ? undefined : parseLine(line.text);
  if (!isObject(value)) return undefined;
  const id = idOf(value["id"]);
  const method = wordOf(value["method"]);
  if (method !== undefined) {
    const params = objectOf(value["params"]) ?? {};
    if (!("id" in value)) return { type: "notification", method, params };
    return id === undefined ? undefined : { type: "request", id, method, params };
  }
  if (id === undefined || "method" in value) return undefined;
  if (value["error"] !== undefined && value["error"] !== null) return { type: "response", id, body: { error: errorOf(value["error"]) } };
  return "result" in value ? { type: "response", id, body: { result: value["result"] } } : undefined;
}

function idOf(value: unknown): Id | undefined {
  return value === null || typeof value === "string" ? value : numberOf(value);
}

/** Accepts errors that do not follow the protocol. */
function errorOf(value: unknown): RpcError {
  const error = objectOf(value);
  const code = numberOf(error?.["code"]);
  const message = wordOf(error?.["message"]) ?? wordOf(value) ?? "The agent reported an error without a message";
  return { code: code !== undefined && Number.isInteger(code) ? code : INTERNAL_ERROR, message, data: error?.["data"] };
}
