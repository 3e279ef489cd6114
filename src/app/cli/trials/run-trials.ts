import { randomUUID } from "node:crypto";
import { dataDirectory } from "../../../host/recording/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import { openJournal, trialsPlan } from "../../../work/evaluate/index.ts";
import { evaluateCases } from "../evaluation/index.ts";
import type { EvaluationFlags } from "../options/index.ts";

export interface TrialsFlags extends EvaluationFlags {
  readonly k: number;
  readonly untilPrecise?: number;
  readonly maxK?: number;
}

const MOST_TRIALS = 50;

/** `harness trials` */
export async function runTrials(prompts: string, words: readonly string[], flags: TrialsFlags): Promise<void> {
  const { untilPrecise, maxK = MOST_TRIALS, output, append } = flags;
  if (untilPrecise !== undefined && flags.grader.length === 0)
    throw new HarnessError("usage", "--until-precise needs verdicts: give a grader with -g.");
  const k = untilPrecise === undefined ? flags.k : maxK;
  await evaluateCases(prompts, words, flags, (out) => {
    const journal = openJournal(dataDirectory(process.env), output ?? randomUUID(), { isContinued: append === true });
    const plan = trialsPlan(out, journal, {
      k,
      isGraded: flags.grader.length > 0,
      ...(untilPrecise === undefined ? {} : { untilPrecise }),
    });
    return {
      plan,
      done(isComplete) {
        if (isComplete || output === undefined) journal.remove();
        journal.close();
      },
    };
  });
}
