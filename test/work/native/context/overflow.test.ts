import { describe, expect, test } from "vitest";
import { isOverflow } from "../../../../src/work/native/context/index.ts";

/** How each vendor says that a conversation is too long. */
const SENTENCES = [
  "HTTP 400 Bad Request: prompt is too long: 213462 tokens > 200000 maximum",
  "input length and `max_tokens` exceed context limit: 197000 + 8192 > 200000, decrease input length or `max_tokens` and try again",
  "Your input exceeds the context window of this model. Please adjust your input and try again.",
  "HTTP 400 Bad Request: context_length_exceeded",
  "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
  "This endpoint's maximum context length is 131072 tokens. However, you requested about 145000 tokens",
  "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
  "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
  "Please reduce the length of the messages or completion.",
  "the request exceeds the available context size, try increasing it",
  "The number of tokens to keep from the initial prompt is greater than the context length.",
  "prompt token count of 141000 exceeds the limit of 128000",
  "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
  "invalid params, context window exceeds limit",
  "Invalid request: Your request exceeded model token limit: 262144 (requested: 270000)",
  "Input is too long for requested model.",
  "The conversation filled the model's context window (model_context_window_exceeded)",
];

const OTHERS = [
  "HTTP 500 Internal Server Error",
  "The model's answer was empty (stop)",
  "max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens",
  "Invalid value for context: expected a string",
];

describe("K6: an error about the context window is recognized", () => {
  test.each(SENTENCES)("%s", (message) => expect(isOverflow({ message, code: "http", isTransient: false })).toBe(true));
  test.each(OTHERS)("not: %s", (message) => expect(isOverflow({ message, code: "http", isTransient: false })).toBe(false));
  test("not a rate limit in tokens per minute", () => {
    const message = "HTTP 429 Too Many Requests: This request would exceed the context window of your rate limit";
    expect(isOverflow({ message, code: "http", status: 429, isTransient: true })).toBe(false);
  });
});
