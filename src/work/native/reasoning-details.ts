import { isObject, type JsonObject, objectOf, stringOf } from "../../pure/base/index.ts";

/** The fields that come in pieces. */
const PIECES = ["text", "summary", "data"];

/**
 * OpenRouter's `reasoning_details`: thoughts with the signatures of the provider that made them. They come in pieces, which the client
 * drops; they must go back whole with the message, or the model forgets its thoughts between calls.
 */
export function reasoningDetails() {
  return {
    extractMetadata: async () => undefined,
    createStreamExtractor() {
      const details: Record<string, unknown>[] = [];
      return {
        processChunk(chunk: unknown) {
          const choices = objectOf(chunk)?.["choices"];
          const delta = Array.isArray(choices) ? objectOf(objectOf(choices[0])?.["delta"]) : undefined;
          const given = delta?.["reasoning_details"];
          if (Array.isArray(given)) for (const detail of given) if (isObject(detail)) add(details, detail);
        },
        buildMetadata: () => (details.length === 0 ? undefined : { openaiCompatible: { reasoning_details: details as never } }),
      };
    },
  };
}

function add(details: Record<string, unknown>[], detail: JsonObject): void {
  const last = details.at(-1);
  if (last === undefined || last["type"] !== detail["type"] || last["index"] !== detail["index"]) {
    details.push({ ...detail });
    return;
  }
  for (const [key, value] of Object.entries(detail)) {
    const before = stringOf(last[key]);
    if (PIECES.includes(key) && before !== undefined && typeof value === "string") last[key] = before + value;
    else if (value !== null && value !== undefined) last[key] = value;
  }
}
