import { Command, InvalidArgumentError } from "commander";
import { addSection, collected } from "../options/index.ts";
import type { CompareFlags } from "./compare-results.ts";

export function compareCommand(): Command {
  const command = new Command("compare")
    .description("Say how agents did, and whether one did better than another: paired, with intervals, and no more than the numbers show.")
    .argument("<results...>", "what capture or trials wrote; the first is the one to beat")
    .option("--json", "one JSON object")
    .option("--markdown", "tables in Markdown")
    .option(
      "--report <file>",
      "also write it there: .html, .md, .csv, .xml (JUnit) or .json; github is the step summary (repeatable)",
      collected,
      [],
    )
    .option("--baseline <name>", "the one to beat, as the table calls it; default: the first of the first file, by name")
    .option("--seed <seed>", "what the bootstrap is drawn by (1)")
    .option("--fail-under <rate>", "exit code 1 if a pass rate is below", rateOf)
    .option("--fail-on-regression", "exit code 1 if one is shown to be worse than the first")
    .action(async (results: string[], flags: CompareFlags) => {
      const { compareResults } = await import("./compare-results.ts");
      await compareResults(results, flags);
    });
  return addSection(command, "Examples", [
    "# Two files, or two agents of one file:",
    "#   harness compare before.jsonl after.jsonl",
    "# For CI",
    "#   harness compare main.jsonl branch.jsonl --fail-on-regression --report report.html --report junit.xml",
  ]);
}

function rateOf(value: string): number {
  const rate = Number(value);
  if (value.trim() !== "" && rate >= 0 && rate <= 1) return rate;
  throw new InvalidArgumentError("Give a rate from 0 to 1, such as 0.8.");
}
