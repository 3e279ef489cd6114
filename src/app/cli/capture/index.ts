import { Command } from "commander";
import { addEvaluationOptions, addSection, type EvaluationFlags, explain, rejectOption } from "../options/index.ts";

export function captureCommand(): Command {
  const command = addEvaluationOptions(new Command("capture").description("Run each case once and keep the whole trajectory")).action(
    async (prompts: string, agentCommand: string[], flags: EvaluationFlags, self: Command) => {
      rejectOption(prompts, self);
      rejectOption(agentCommand[0], self);
      const { captureCases } = await import("./capture-cases.ts");
      await captureCases(prompts, agentCommand, flags);
    },
  );
  explain(
    command,
    "Writes one line of JSON per case: the agent's answer, all its steps (the trajectory) and the grade. The name comes from specification 004.",
  );
  return addSection(command, "Examples", [
    "# An ACP agent, as a command:",
    "#   harness capture prompts.jsonl bunx claude-code-acp -o results.jsonl",
    "# A known agent, graded by a command in the workspace it leaves:",
    "#   harness capture prompts.jsonl --agent claude --permissions full \\\n#     --workspace ./template -g 'command:npm test' -o results.jsonl",
    "# Continue after an interruption:",
    "#   harness capture prompts.jsonl --agent claude --permissions full \\\n#     -o results.jsonl --append",
  ]);
}
