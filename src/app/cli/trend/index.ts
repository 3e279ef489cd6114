import { Command } from "commander";
import { addSection, countOf, explain, outOfTimeOption } from "../options/index.ts";
import type { TrendFlags } from "./show-trend.ts";

export function trendCommand(): Command {
  const command = new Command("trend")
    .description("Show earlier evaluations side by side")
    .argument("<results...>", "the results of at least two evaluations; parts of one are taken together")
    .option("--most <n>", "list at most n cases of each kind (default: 10)", countOf)
    .option("--seed <seed>", "the seed of the bootstrap (default: 1)")
    .addOption(outOfTimeOption())
    .option("--fail-on-regression", "exit code 1 if a side is shown to be worse than before")
    .option("--markdown", "print tables in Markdown")
    .option("--json", "print one JSON object")
    .action(async (results: string[], flags: TrendFlags) => (await import("./show-trend.ts")).showTrend(results, flags));
  explain(
    command,
    "Compares each evaluation of a side with the one before it, and the last with the first, over the cases that have not changed. A regression is shown only if the test supports it, corrected over all comparisons. Also lists the flakiest cases, those that separate the sides, and those that show nothing.",
  );
  return addSection(command, "Examples", [
    "# All earlier results:",
    "#   harness trend results/*.jsonl",
    "# In CI, after the evaluation of this commit:",
    "#   harness trend results/*.jsonl --fail-on-regression --markdown",
  ]);
}
