import { randomUUID } from "node:crypto";
import { HarnessError } from "../../core/errors.ts";
import { openJournal } from "../../eval/results/journal.ts";
import { trialsPlan } from "../../eval/trials-plan.ts";
import { dataDirectory } from "../../store/data-directory.ts";
import type { TrialsFlags } from "../commands/trials.ts";
import { evaluateCases } from "./evaluate-cases.ts";

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
