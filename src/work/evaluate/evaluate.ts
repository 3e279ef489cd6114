import { randomUUID } from "node:crypto";
import { dataOf } from "../../host/recording/index.ts";
import { HarnessError } from "../../pure/base/index.ts";
import { type Evaluation, type EvaluationOptions, runEvaluation } from "./evaluation.ts";
import { openJournal } from "./results/index.ts";
import { openTrials, trialsPlan } from "./scheduling/index.ts";
import type { TrialResult } from "./trial/index.ts";

export interface EvaluateOptions extends EvaluationOptions<TrialResult> {
  /** How many trials each case gets. Default: 1. */
  readonly k?: number;
  /** Alternatively, stop a case when its 95 % interval extends at most this far to either side. Needs a grader. */
  readonly untilPrecise?: number;
  /** With `untilPrecise`: the maximum number of trials per case. Default: 50. */
  readonly maxK?: number;
}

/** Runs every case with every side and reports pass rates. A result is one case of one side, with all its trials. */
export async function evaluate(options: EvaluateOptions, command = "evaluate"): Promise<Evaluation<TrialResult>> {
  const { untilPrecise, k = 1, maxK = 50, grader = [], output, append } = options;
  const isGraded = typeof grader !== "object" || grader.length > 0;
  if (untilPrecise !== undefined && !isGraded)
    throw new HarnessError("usage", "`untilPrecise` needs verdicts. Name a `grader`.", { option: "grader" });
  const file = typeof output === "string" ? output : undefined;
  const wanted = { k: untilPrecise === undefined ? k : maxK, isGraded, untilPrecise, outOfTime: options.outOfTime };
  return runEvaluation(options, command, openTrials(wanted), (out) => {
    const journal = openJournal(dataOf(options), file ?? randomUUID(), { isContinued: append === true });
    return {
      plan: trialsPlan(out, journal, wanted),
      close(isComplete) {
        if (isComplete || file === undefined) journal.remove();
        journal.close();
      },
    };
  });
}
