import { type Schema, type Shape, schema } from "../../pure/base/index.ts";
import { caseRow } from "./cases/index.ts";
import { comparison } from "./compare/index.ts";
import { evaluationFile } from "./definition/index.ts";
import { preferenceResult } from "./prefer/index.ts";
import { trendReport } from "./trend/index.ts";
import { captureResult, trialResult } from "./trial/index.ts";

/** The formats that evaluations read and write: those of specification 004, and ours. */
export const evaluationSchemas = {
  evaluation: published("evaluation", evaluationFile, "Evaluation", "The file of harness evaluate, in YAML, JSON or TOML."),
  case: published("case", caseRow, "Case", "A line of a data set, as capture, trials, validate-refs and balance read it."),
  "capture-result": published(
    "capture-result",
    captureResult,
    "Capture result",
    "A line that harness capture writes: specification 004's CaptureResult, followed by our fields.",
    "1.4",
  ),
  "trial-result": published(
    "trial-result",
    trialResult,
    "Trial result",
    "A line that harness trials writes: specification 004's TrialResult, followed by our fields.",
    "1.4",
  ),
  comparison: published(
    "comparison",
    comparison,
    "Comparison",
    "What harness compare --json prints: how each side did, and how each two differ.",
    "1.3",
  ),
  trend: published(
    "trend",
    trendReport,
    "Trend",
    "What harness trend --json prints: earlier evaluations side by side, and what their cases say.",
  ),
  preference: published(
    "preference",
    preferenceResult,
    "Preference",
    "A line that harness prefer writes: which of two answers a judge prefers, asked in both orders.",
    "1.1",
  ),
} as const;

function published(name: string, shape: Shape<unknown>, title: string, description: string, version = "1.0"): Schema {
  return schema({ name, version, title, description, shape });
}
