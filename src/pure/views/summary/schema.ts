import { described, list, number, object, optional, type Static, text } from "../../base/index.ts";
import { trialClass } from "../../verdicts/index.ts";
import { promptInput } from "../capture/index.ts";
import { viewSchema } from "../view-schema.ts";

/** Specification 004's compact record of one case. */
const summary = object({
  id: text,
  input: promptInput,
  output: text,
  toolCalls: described(list(text), "The names of the tools, one per call, in order"),
  duration: described(number, "Milliseconds"),
  class: optional(trialClass, "How the trial ended; only in summaries of an evaluation"),
});
export type Summary = Static<typeof summary>;

export const summarySchema = viewSchema({
  name: "summary",
  version: "1.1",
  title: "Summary",
  description: "A run in one line.",
  shape: summary,
});
