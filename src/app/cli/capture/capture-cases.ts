import { capturePlan } from "../../../work/evaluate/capture-plan.ts";
import { evaluateCases } from "../evaluation/evaluate-cases.ts";
import type { EvaluationFlags } from "../options/evaluation-options.ts";

/** `harness capture` */
export async function captureCases(prompts: string, words: readonly string[], flags: EvaluationFlags): Promise<void> {
  await evaluateCases(prompts, words, flags, (out) => ({ plan: capturePlan(out), done: () => {} }));
}
