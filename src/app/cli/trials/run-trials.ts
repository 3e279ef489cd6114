import { HarnessError } from "../../../pure/base/index.ts";
import { trials } from "../../../work/evaluate/index.ts";
import { evaluateCases } from "../evaluation/index.ts";
import type { EvaluationFlags } from "../options/index.ts";

export interface TrialsFlags extends EvaluationFlags {
  readonly k: number;
  readonly untilPrecise?: number;
  readonly maxK?: number;
}

export async function runTrials(prompts: string, agentCommand: readonly string[], flags: TrialsFlags): Promise<void> {
  const { k, untilPrecise, maxK } = flags;
  if (untilPrecise !== undefined && flags.grader.length === 0)
    throw new HarnessError("usage", "--until-precise needs grades. Pass a grader with -g.");
  await evaluateCases(prompts, agentCommand, flags, (options: Parameters<typeof trials>[0]) =>
    trials({ ...options, k, untilPrecise, maxK }),
  );
}
