import { Command } from "commander";
import { addEvaluationOptions, addSection, type EvaluationFlags } from "../options/index.ts";

export function captureCommand(): Command {
  const command = addEvaluationOptions(
    new Command("capture").description("Run every case of a data set once, and write each whole trajectory as a line of JSON."),
  ).action(async (prompts: string, words: string[], flags: EvaluationFlags) => {
    const { captureCases } = await import("./capture-cases.ts");
    await captureCases(prompts, words, flags);
  });
  return addSection(command, "Examples", [
    "# An ACP agent, as its command:",
    "#   harness capture prompts.jsonl bunx claude-code-acp -o results.jsonl",
    "# A known agent, graded by a command in the workspace that it leaves:",
    "#   harness capture prompts.jsonl --agent claude --workspace ./template -g 'command:npm test' -o results.jsonl",
    "# Go on after an interruption:",
    "#   harness capture prompts.jsonl --agent claude -o results.jsonl --append",
  ]);
}
