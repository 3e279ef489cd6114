import { Command, InvalidArgumentError } from "commander";
import { addEvaluationOptions, addSection, countOf, explain, rejectOption } from "../options/index.ts";
import type { TrialsFlags } from "./run-trials.ts";

export function trialsCommand(): Command {
  const command = addEvaluationOptions(
    new Command("trials")
      .description("Run each case several times and report pass rates")
      .option("-k <n>", "trials per case", countOf, 5)
      .option("--until-precise <width>", "stop a case when its 95 % interval is at most this wide to either side", widthOf)
      .option("--max-k <n>", "with --until-precise: at most n trials per case (default: 50)", countOf),
  ).action(async (prompts: string, agentCommand: string[], flags: TrialsFlags, self: Command) => {
    rejectOption(prompts, self);
    rejectOption(agentCommand[0], self);
    const { runTrials } = await import("./run-trials.ts");
    await runTrials(prompts, agentCommand, flags);
  });
  explain(
    command,
    "A trial is one run of one case; the name comes from specification 004. An agent that passes once may fail the next time.",
  );
  return addSection(command, "Examples", [
    "# Five trials of each case, graded by a module:",
    "#   harness trials prompts.jsonl bunx claude-code-acp -k 5 \\\n#     --grader ./grader.ts -o trials.jsonl",
    "# Two agents side by side:",
    "#   harness trials prompts.jsonl --agent claude --agent codex \\\n#     --permissions full -k 5 -g contains -o trials.jsonl",
  ]);
}

function widthOf(value: string): number {
  const width = Number(value);
  if (width > 0 && width < 0.5) return width;
  throw new InvalidArgumentError("Pass a number between 0 and 0.5, such as 0.1.");
}
