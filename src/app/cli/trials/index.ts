import { Command, InvalidArgumentError } from "commander";
import { addEvaluationOptions, addSection, countOf } from "../options/index.ts";
import type { TrialsFlags } from "./run-trials.ts";

export function trialsCommand(): Command {
  const command = addEvaluationOptions(
    new Command("trials").description("Run every case of a data set several times, and say how often it passes."),
  )
    .option("-k <n>", "how often", countOf, 5)
    .option("--until-precise <width>", "stop a case when its 95 % interval is at most that wide to either side", widthOf)
    .option("--max-k <n>", "with --until-precise: the most trials of a case (50)", countOf)
    .action(async (prompts: string, words: string[], flags: TrialsFlags) => {
      const { runTrials } = await import("./run-trials.ts");
      await runTrials(prompts, words, flags);
    });
  return addSection(command, "Examples", [
    "# Five trials each, graded by a module:",
    "#   harness trials prompts.jsonl bunx claude-code-acp -k 5 --grader ./grader.ts -o trials.jsonl",
    "# Two agents side by side:",
    "#   harness trials prompts.jsonl --agent claude --agent codex -k 5 -g contains -o trials.jsonl",
  ]);
}

function widthOf(value: string): number {
  const width = Number(value);
  if (width > 0 && width < 0.5) return width;
  throw new InvalidArgumentError("Give a number between 0 and 0.5, such as 0.1.");
}
