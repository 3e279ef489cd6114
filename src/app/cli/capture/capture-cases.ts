import { capture } from "../../../work/evaluate/index.ts";
import { evaluateCases } from "../evaluation/index.ts";
import type { EvaluationFlags } from "../options/index.ts";

export async function captureCases(prompts: string, agentCommand: readonly string[], flags: EvaluationFlags): Promise<void> {
  await evaluateCases(prompts, agentCommand, flags, capture);
}
