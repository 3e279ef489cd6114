import { capturePlan } from "../../eval/capture-plan.ts";
import type { EvaluationFlags } from "../commands/evaluation-options.ts";
import { evaluateCases } from "./evaluate-cases.ts";

/** `harness capture` */
export async function captureCases(prompts: string, words: readonly string[], flags: EvaluationFlags): Promise<void> {
  await evaluateCases(prompts, words, flags, (out) => ({ plan: capturePlan(out), done: () => {} }));
}
