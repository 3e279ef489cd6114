import { Command } from "commander";
import { addSection, countOf } from "../options/index.ts";
import type { PreferFlags } from "./prefer-answers.ts";

export function preferCommand(): Command {
  const command = new Command("prefer")
    .description("Ask a judge which of two answers is better, pair by pair and in both orders, by a rubric.")
    .argument("<results...>", "what capture or trials wrote; the first side is compared with every other one")
    .requiredOption("--rubric <file>", "by what it is decided, in words")
    .option("--judge <agent>", "who decides: an agent")
    .option("--judge-model <name>", "the judge's model")
    .option("--judge-url <base>", "in place of an agent: an OpenAI-compatible endpoint; its key is in JUDGE_API_KEY")
    .option("-o, --output <file>", "where the preferences go, a line each as it is known; default: standard output")
    .option("--append", "go on where an earlier call stopped")
    .option("--force", "overwrite an output file that is not empty")
    .option("-j, --concurrency <n>", "how many pairs at once", countOf, 2)
    .option("--sample <n>", "so many of the pairs, chosen by the seed", countOf)
    .option("--seed <seed>", "what a sample is drawn by", "1")
    .action(async (results: string[], flags: PreferFlags) => {
      const { preferAnswers } = await import("./prefer-answers.ts");
      await preferAnswers(results, flags);
    });
  return addSection(command, "Examples", [
    "# Two files, or two agents of one file:",
    "#   harness prefer before.jsonl after.jsonl --rubric rubric.md --judge claude -o preferences.jsonl",
    "# By a model's own endpoint:",
    "#   harness prefer trials.jsonl --rubric rubric.md --judge-url http://127.0.0.1:11434/v1 --judge-model qwen3",
  ]);
}
