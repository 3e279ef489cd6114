import { Command, InvalidArgumentError, Option } from "commander";
import type { CompareFlags } from "../evaluation/index.ts";
import { addSection, collected, explain, gateOption, outOfTimeOption } from "../options/index.ts";

export function compareCommand(): Command {
  const command = new Command("compare")
    .description("Compare the results of agents")
    .argument("<results...>", "outputs of capture or trials; the first is the baseline")
    .option("--baseline <side>", "the agent to compare with, as the table names it (default: the first by name in the first file)")
    .option("--seed <seed>", "the seed of the bootstrap (default: 1)")
    .option("--fail-under <rate>", "exit code 1 if a pass rate is below this, from 0 to 1", rateOf)
    .addOption(outOfTimeOption())
    .addOption(
      new Option(
        "--unverified <how>",
        "trials whose recordings grade did not find are ignored or counted in pass rates (default: ignored)",
      ).choices(["ignored", "counted"]),
    )
    .addOption(gateOption())
    .option("--fail-on-regression", "exit code 1 if an agent is shown to be worse than the baseline")
    .option(
      "--report <file>",
      "also write a report: .html, .md, .csv, .xml (JUnit), .json, or github for the step summary (repeatable)",
      collected,
      [],
    )
    .option("--markdown", "print tables in Markdown")
    .option("--json", "print one JSON object")
    .action(async (results: string[], flags: CompareFlags) => (await import("../evaluation/index.ts")).compareResults(results, flags));
  explain(
    command,
    "Pairs the same trial of the same case. An agent is better or worse only if the corrected p-value is at most 0.05. Otherwise no difference is shown, which does not mean that there is none.",
  );
  return addSection(command, "Examples", [
    "# Two files, or two agents in one file:",
    "#   harness compare before.jsonl after.jsonl",
    "# In CI:",
    "#   harness compare main.jsonl branch.jsonl --fail-on-regression \\\n#     --report report.html --report junit.xml",
  ]);
}

function rateOf(value: string): number {
  const rate = Number(value);
  if (value.trim() !== "" && rate >= 0 && rate <= 1) return rate;
  throw new InvalidArgumentError("Pass a rate from 0 to 1, such as 0.8.");
}
