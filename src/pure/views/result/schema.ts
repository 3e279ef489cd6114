import { count, described, integer, nullable, number, object, optional, type Static, text, versionLike } from "../../base/index.ts";
import { partialCost, partialUsage, statusOrNull, tokens } from "../../events/index.ts";
import { viewSchema } from "../view-schema.ts";

export const RESULT_VERSION = "1.1";

const result = object({
  schemaVersion: versionLike(RESULT_VERSION),
  status: statusOrNull,
  reason: described(nullable(text), "The row of the truth table that decided the status"),
  output: described(nullable(text), "The final answer"),
  sessionId: nullable(text),
  model: nullable(text),
  usage: described(tokens, "Of the whole run. What the agent reports of a part is in partialUsage"),
  cost: described(nullable(number), "Of the whole run: US dollars, as reported by the agent"),
  partialUsage: optional(partialUsage, "If the agent reports only a part of what the run used"),
  partialCost: optional(partialCost, "If the agent reports only a part of what the run cost"),
  subagents: count,
  toolCalls: count,
  durationMs: nullable(number),
  exitCode: nullable(integer),
  signal: nullable(text),
  unknown: described(count, "The number of pieces of output that could not be read"),
});
export type RunResult = Static<typeof result>;

export const resultSchema = viewSchema({
  name: "result",
  version: RESULT_VERSION,
  title: "Run result",
  description: 'The outcome of a run in one object. Null means "not known", never zero.',
  shape: result,
});
