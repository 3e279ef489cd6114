import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { dollars, HarnessError } from "../../../pure/base/index.ts";
import { defaultLimits, evaluate, type ResultFile, type TrialPlan } from "../../../work/evaluate/index.ts";
import { say, setExitCode, standardInput } from "../../terminal/index.ts";
import type { EvaluationFlags } from "../options/index.ts";
import { entrantsOf } from "./entrants-of.ts";
import { evaluationProgress } from "./evaluation-progress.ts";
import { graderOf } from "./grader-of.ts";
import { resultsOf } from "./results-of.ts";
import { withScratch } from "./with-scratch.ts";

const FAILED = 1;

/** Checks everything, opens the results, runs, and says how it went. `planOf` decides which trials there are. */
export async function evaluateCases(
  prompts: string,
  words: readonly string[],
  flags: EvaluationFlags,
  planOf: (out: ResultFile) => { plan: TrialPlan; done: (isComplete: boolean) => void },
): Promise<void> {
  if (words.length > 0 && flags.agent.length > 0)
    throw new HarnessError("usage", `Give an agent's command or --agent, and not both: ${words[0]} is not an option.`);
  await withScratch("prompts", async (scratch, stop) => {
    const dataset = prompts === "-" ? await spooled(scratch) : prompts;
    const grader = await graderOf(flags);
    const entrants = await entrantsOf(flags, words);
    const out = await resultsOf(flags, stop, "harness capture");
    if (out.torn !== undefined) say(`what a killed call left of its last line was put into ${out.torn}`);
    const progress = evaluationProgress(flags.progress === true);
    try {
      const { plan, done } = planOf(out);
      const end = await evaluate(
        {
          dataset,
          entrants,
          ...(grader && { grader }),
          limits: flags.concurrency ?? defaultLimits(),
          retries: flags.retryInfrastructure,
          maxCostUsd: flags.maxCost,
          timeoutMs: flags.timeout,
          workspace: flags.workspace ?? (flags.cwd === undefined ? undefined : resolve(flags.cwd)),
          home: flags.home,
          only: flags.only,
          where: flags.where,
          sample: flags.sample,
          seed: flags.seed,
          allowMixed: flags.allowMixed,
          signal: stop.signal,
          onProgress: progress.show,
        },
        out,
        plan,
      );
      done(end.stopped === undefined);
      if (end.stopped === "cost") {
        say(`the agents have reported ${dollars(end.costUsd)}, so that nothing more was started; --append goes on`);
        setExitCode(FAILED);
      }
    } finally {
      progress.end(); // its clocks would go on
      await out.close();
    }
  });
}

/** A data set is read twice: once to check all of it, and then case by case. */
async function spooled(folder: string): Promise<string> {
  const path = join(folder, "standard-input");
  writeFileSync(path, "", { mode: 0o600 });
  for await (const chunk of standardInput()) writeFileSync(path, chunk, { flag: "a" });
  return path;
}
