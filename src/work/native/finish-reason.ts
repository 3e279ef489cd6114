import type { Failure } from "./failure.ts";

/** A finish reason: the SDK's class of it, and the provider's own word. */
export interface Finish {
  readonly unified: string;
  readonly raw: string | undefined;
}

/** What the answer holds besides thoughts. */
export interface Said {
  readonly hasText: boolean;
  readonly hasCalls: boolean;
  /** It follows the result of a tool: a model may then end without another word. */
  readonly followsResult: boolean;
}

/** Reasons that the SDK takes for a finished answer, or does not know: generation was stopped, and another attempt may succeed. */
const STOPPED = new Set([
  "pause_turn",
  "compaction",
  "MALFORMED_FUNCTION_CALL",
  "MALFORMED_RESPONSE",
  "MISSING_THOUGHT_SIGNATURE",
  "UNEXPECTED_TOOL_CALL",
  "TOO_MANY_TOOL_CALLS",
  "LANGUAGE",
  "OTHER",
  "FINISH_REASON_UNSPECIFIED",
]);

/** Why an answer is not complete; undefined if it is. docs/explanation/status.md lists every finish reason of every dialect. */
export function whyUnfinished(finish: Finish | undefined, { hasText, hasCalls, followsResult }: Said): Failure | undefined {
  if (finish === undefined || isCutOff(finish))
    return { message: "The stream ended before the answer was complete: connection lost", code: "stream", isTransient: true };
  const { unified, raw } = finish;
  if (unified === "content-filter" || raw?.startsWith("IMAGE_"))
    return { message: `The provider blocked the answer (${raw ?? "content_filter"})`, code: "refusal", isTransient: false };
  if (unified === "error" || STOPPED.has(raw ?? ""))
    return { message: `The model stopped without finishing its answer (${raw ?? unified})`, code: "unfinished", isTransient: true };
  if (hasText || hasCalls) return undefined;
  if (raw === "model_context_window_exceeded")
    return { message: `The conversation filled the model's context window (${raw})`, code: "context", isTransient: false };
  if (unified === "length")
    return { message: "The model reached its output limit before it said anything", code: "empty", isTransient: false };
  if (followsResult && unified === "stop") return undefined;
  return { message: `The model's answer was empty (${raw ?? unified})`, code: "empty", isTransient: true };
}

/** A stream that ends without a reason. */
function isCutOff({ unified, raw }: Finish): boolean {
  return raw === undefined && (unified === "other" || unified === "error");
}
