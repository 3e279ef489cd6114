import { Command } from "commander";
import { addJudgeOptions, addSection, countOf, durationOf, explain } from "../options/index.ts";
import type { PreferFlags } from "./prefer-answers.ts";

export function preferCommand(): Command {
  const command = addJudgeOptions(
    new Command("prefer")
      .description("Ask a judge which of two answers is better")
      .argument("<results...>", "outputs of capture or trials; the first side is compared with each other side")
      .requiredOption("--rubric <file>", "a text that says what makes an answer better"),
  )
    .option("--judge-timeout <time>", "the time limit for one answer of the judge (default: 5m)", durationOf)
    .option("-o, --output <file>", "append each preference here when it is known (default: standard output)")
    .option("--append", "continue an earlier call; ask again about pairs that failed")
    .option("--force", "overwrite an output file that is not empty")
    .option("-j, --concurrency <n>", "pairs to judge in parallel", countOf, 2)
    .option("--sample <n>", "judge n of the pairs, chosen by the seed", countOf)
    .option("--seed <seed>", "the seed for --sample", "1")
    .action(async (results: string[], flags: PreferFlags) => (await import("./prefer-answers.ts")).preferAnswers(results, flags));
  explain(command, "The judge sees each pair in both orders and decides by the rubric.");
  return addSection(command, "Examples", [
    "# Two files, or two agents in one file:",
    "#   harness prefer before.jsonl after.jsonl --rubric rubric.md \\\n#     --judge claude -o preferences.jsonl",
    "# With the endpoint of a model:",
    "#   harness prefer trials.jsonl --rubric rubric.md --judge-model qwen3 \\\n#     --judge-url http://127.0.0.1:11434/v1",
  ]);
}
