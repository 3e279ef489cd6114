import { type EvaluateOptions, evaluate } from "./evaluate.ts";
import type { Evaluation } from "./evaluation.ts";
import type { TrialResult } from "./trial/index.ts";

/** The same as `evaluate`, with five trials per case unless `k` says otherwise. */
export function trials(options: EvaluateOptions): Promise<Evaluation<TrialResult>> {
  return evaluate({ ...options, k: options.k ?? 5 }, "trials");
}
