import { type Evaluation, type EvaluationOptions, runEvaluation } from "./evaluation.ts";
import { capturePlan, openCapture } from "./scheduling/index.ts";
import type { CaptureResult } from "./trial/index.ts";

export type CaptureOptions = EvaluationOptions<CaptureResult>;

/** Runs every case once with every agent. Checks everything before the first run: a `HarnessError` says what is wrong. */
export function capture(options: CaptureOptions): Promise<Evaluation<CaptureResult>> {
  return runEvaluation(options, "capture", openCapture, (out) => ({ plan: capturePlan(out) }));
}
