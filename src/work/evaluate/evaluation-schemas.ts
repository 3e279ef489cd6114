import { type Schema, type Shape, schema } from "../../pure/base/index.ts";
import { caseRow } from "./cases/index.ts";
import { comparison } from "./compare/index.ts";
import { preferenceResult } from "./prefer/index.ts";
import { captureResult, trialResult } from "./trial/index.ts";

/** What evaluations read and write: specification 004's formats, and what stands beside them. */
export const evaluationSchemas = {
  case: published("case", caseRow, "Case", "A line of a data set, as capture, trials, validate-refs and balance read it."),
  "capture-result": published(
    "capture-result",
    captureResult,
    "Capture result",
    "A line that harness capture writes: specification 004's CaptureResult, and ours behind it.",
  ),
  "trial-result": published(
    "trial-result",
    trialResult,
    "Trial result",
    "A line that harness trials writes: specification 004's TrialResult, and ours behind it.",
  ),
  comparison: published(
    "comparison",
    comparison,
    "Comparison",
    "What harness compare --json prints: how the sides did, and how every two of them differ.",
  ),
  preference: published(
    "preference",
    preferenceResult,
    "Preference",
    "A line that harness prefer writes: which of two answers a judge likes better, asked in both orders.",
  ),
} as const;

function published(name: string, shape: Shape<unknown>, title: string, description: string): Schema {
  return schema({ name, version: "1.0", title, description, shape });
}
