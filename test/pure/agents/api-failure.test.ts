import { describe, expect, test } from "vitest";
import { apiFailure } from "../../../src/pure/agents/api-failure.ts";

/** Error texts of real CLIs and providers; docs/explanation/status.md explains the outcome. */

const infrastructure: readonly (readonly [status: number | undefined, message: string])[] = [
  [500, ""],
  [529, "anything"],
  [401, ""],
  [429, ""],
  [403, ""],
  [400, "Your credit balance is too low"],
  [undefined, "overloaded_error"],
  [undefined, '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'],
  [undefined, "rate_limit_error"],
  [undefined, "RateLimitError: slow down"],
  [undefined, "authentication_error"],
  [undefined, "invalid_api_key"],
  [undefined, "insufficient_quota"],
  [undefined, "401 invalid api key"],
  [undefined, "401"],
  [undefined, ' 503 {"message":"internal"}'],
  [undefined, "500: internal"],
  [undefined, "unexpected status 401 Unauthorized"],
  [undefined, "exceeded retry limit, last status: 429 Too Many Requests"],
  [undefined, "API Error: 500 internal"],
  [undefined, "Request failed with status code 502"],
  [undefined, "HTTP 503"],
  [undefined, "terminated"],
  [undefined, "TypeError: terminated"],
  [undefined, "[API Error: terminated]"],
  [undefined, "fetch failed"],
  [undefined, "exception TypeError: fetch failed sending request"],
  [undefined, "Anthropic stream ended without a stop reason"],
  [undefined, "socket hang up"],
  [undefined, "read ECONNRESET"],
  [undefined, "getaddrinfo EAI_AGAIN api.example.com"],
  [undefined, "stream disconnected before completion: stream closed"],
  [undefined, "Network error: Stream decode error: error decoding response body"],
  [undefined, "Selected model is at capacity. Please try a different model."],
  [undefined, "We're currently experiencing high demand"],
  [undefined, "Not logged in · Please run /login"],
  [undefined, "OAuth token revoked · Please run /login"],
  [undefined, "Claude AI usage limit reached|1760000000"],
  [undefined, "account_on_hold"],
  [undefined, "Missing environment variable: `SCRIPTED_API_KEY`."],
];

const failed: readonly (readonly [status: number | undefined, message: string])[] = [
  [400, ""],
  [404, "the model was not found"],
  [400, "the request timed out of range"],
  [500, "context_length_exceeded"],
  [undefined, "Codex ran out of room in the model's context window."],
  [undefined, "content_filter"],
  [undefined, "400 this model's maximum context length is 8192 tokens"],
  [undefined, "404 no such model"],
  [undefined, "API Error: 400 bad request"],
  [undefined, "401.5 tokens are too many"],
  [undefined, "the command was terminated by its user"],
  [undefined, "[API Error: Model stream ended with malformed function call.]"],
  [undefined, "something else"],
  [undefined, ""],
];

describe("a failed model request", () => {
  test.each(infrastructure)("%s %j blames the provider", (status, message) => expect(apiFailure(status, message)).toBe("infrastructure"));
  test.each(failed)("%s %j blames the run", (status, message) => expect(apiFailure(status, message)).toBe("failed"));
});
