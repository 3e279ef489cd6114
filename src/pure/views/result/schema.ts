import { count, described, integer, nullable, number, object, type Static, text, versionLike } from "../../base/index.ts";
import { statusOrNull, tokens } from "../../events/index.ts";
import { viewSchema } from "../view-schema.ts";

export const RESULT_VERSION = "1.0";

const result = object({
  schemaVersion: versionLike(RESULT_VERSION),
  status: statusOrNull,
  reason: described(nullable(text), "The row of the truth table that decided the status"),
  output: described(nullable(text), "The final answer"),
  sessionId: nullable(text),
  model: nullable(text),
  usage: tokens,
  cost: described(nullable(number), "US dollars, as reported by the agent"),
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
