import { randomUUID } from "node:crypto";
import { dataOf } from "../../host/recording/index.ts";
import { HarnessError } from "../../pure/base/index.ts";
import { type Evaluation, type EvaluationOptions, evaluate } from "./evaluation.ts";
import { openJournal } from "./results/index.ts";
import { openTrials, trialsPlan } from "./scheduling/index.ts";
import type { TrialResult } from "./trial/index.ts";

export interface TrialsOptions extends EvaluationOptions<TrialResult> {
  /** How many trials each case gets. Default: 5. */
  readonly k?: number;
  /** Alternatively, stop a case when its 95 % interval extends at most this far to either side. Needs a grader. */
  readonly untilPrecise?: number;
  /** With `untilPrecise`: the maximum number of trials per case. Default: 50. */
  readonly maxK?: number;
}

/** Runs every case several times with every agent and reports pass rates. A result is one case of one agent, with all its trials. */
export async function trials(options: TrialsOptions): Promise<Evaluation<TrialResult>> {
  const { untilPrecise, k = 5, maxK = 50, grader = [], output, append } = options;
  const isGraded = typeof grader !== "object" || grader.length > 0;
  if (untilPrecise !== undefined && !isGraded)
    throw new HarnessError("usage", "`untilPrecise` needs verdicts. Name a `grader`.", { option: "grader" });
  const file = typeof output === "string" ? output : undefined;
  const wanted = { k: untilPrecise === undefined ? k : maxK, isGraded, untilPrecise, outOfTime: options.outOfTime };
  return evaluate(options, "trials", openTrials(wanted), (out) => {
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
