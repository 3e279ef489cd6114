import type { JsonObject } from "../../pure/base/index.ts";

const kinds: Readonly<Record<number, readonly [type: string, code: string | null]>> = {
  401: ["invalid_request_error", "invalid_api_key"],
  403: ["permission_error", null],
  404: ["invalid_request_error", "not_found"],
  429: ["rate_limit_error", "rate_limit_exceeded"],
};

/** An OpenAI error, the same for Responses and Chat Completions. */
export function openaiFailure(status: number, message: string): JsonObject {
  const [type, code] = kinds[status] ?? [status < 500 ? "invalid_request_error" : "server_error", codeIn(message)];
  return { error: { message, type, code, param: null } };
}

/** A request that is too long also has a code. */
function codeIn(message: string): string | null {
  return message.includes("maximum context length") ? "context_length_exceeded" : null;
}
