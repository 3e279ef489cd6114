import { type Evaluation, type EvaluationOptions, evaluate } from "./evaluation.ts";
import { capturePlan } from "./scheduling/index.ts";
import type { CaptureResult } from "./trial/index.ts";

export type CaptureOptions = EvaluationOptions<CaptureResult>;

/** Runs every case once by every agent. Everything is checked before the first run is started: `HarnessError` says what is wrong. */
export function capture(options: CaptureOptions): Promise<Evaluation<CaptureResult>> {
  return evaluate(options, "harness capture", (out) => ({ plan: capturePlan(out) }));
}
