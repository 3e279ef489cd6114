import { anyObject, count, described, either, epochMs, flag, list, object, optional, type Static, text } from "../../base/index.ts";
import { trajectoryStep } from "../trajectory/index.ts";
import { viewSchema } from "../view-schema.ts";

export const promptInput = described(either(text, list(text)), "The prompt; several turns are a list");

/** Specification 004's record of one case. The evaluation appends its fields: the run, its status, a grade. */
export const captureRecord = object({
  id: text,
  input: promptInput,
  output: described(text, "The final answer"),
  expected: optional(text),
  trajectory: list(trajectoryStep),
  metadata: described(anyObject, "Of the case and the agent"),
  timing: object({ start: epochMs, end: epochMs, firstResponse: optional(count, "Milliseconds since start") }),
  toolErrors: described(flag, "Whether any tool call failed"),
  errors: optional(list(text)),
});
export type Capture = Static<typeof captureRecord>;

export const captureSchema = viewSchema({
  name: "capture",
  version: "1.1",
  title: "Capture",
  description: "A whole run as one record: the prompt, the answer, and every step between them.",
  shape: captureRecord,
});
