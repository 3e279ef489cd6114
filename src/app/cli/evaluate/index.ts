import { Command, InvalidArgumentError, Option } from "commander";
import {
  addSection,
  collected,
  countOf,
  explain,
  gateOption,
  limitsOption,
  moneyOf,
  outOfTimeOption,
  seedOption,
} from "../options/index.ts";
import type { EvaluateFlags } from "./evaluate-file.ts";

export function evaluateCommand(): Command {
  const command = new Command("evaluate")
    .description("Run the evaluation that a file describes")
    .argument("[file]", "the evaluation: YAML, JSON or TOML (default: eval.yaml)")
    .option("--init", "write a commented example to the file, with a data set next to it")
    .option("--dry-run", "show every command line, and estimate tokens and cost; run nothing")
    .optionsGroup("Sides:")
    .option("--without <part>", "also run every side without skill:<name> or file:<path>, as its control (repeatable)", collected, [])
    .option("--side <names>", "run only these sides, separated by commas", (value: string) => value.split(","))
    .optionsGroup("Cases:")
    .option("-k <n>", "trials per case and side", countOf)
    .option("--only <ids>", "run only these cases, separated by commas", (value: string) => value.split(","))
    .option("--sample <n>", "run n of the cases, chosen by the seed", countOf)
    .addOption(seedOption())
    .option("--shard <part>", "run one part of the cases: 3/20", shardOf)
    .optionsGroup("Results:")
    .option("-o, --output <file>", "append each result here when it is finished (default: from the file)")
    .option("--append", "continue an earlier call: finished results stay unchanged")
    .addOption(new Option("--force", "overwrite an output file that holds results").conflicts("append"))
    .option("--allow-mixed", "with --append: allow changed inputs")
    .option("--trust-grades", "with --append: believe the earlier grades instead of making them again")
    .option("--no-check", "start without checking agents, graders and workspaces")
    .option("--report <file>", "also write a report, as harness compare does (repeatable)", collected, [])
    .addOption(gateOption())
    .option("--json", "print the comparison, or the plan of --dry-run, as one JSON object")
    .option("--progress", "report progress on stderr, even in a pipe")
    .optionsGroup("Limits:")
    .addOption(limitsOption())
    .option("--max-cost <usd>", "start no further run once agents and judges have reported this cost", moneyOf)
    .addOption(outOfTimeOption())
    .action(async (file: string | undefined, flags: EvaluateFlags) =>
      (await import("./evaluate-file.ts")).evaluateFile(file ?? "eval.yaml", flags),
    );
  explain(
    command,
    "The file names the data set, the graders, the limits and the sides to compare. A hash of the file and of everything it refers to is in each result. capture and trials run the same engine without a file.",
  );
  return addSection(command, "Examples", [
    "# Write an example, and run it:",
    "#   harness evaluate --init && harness evaluate",
    "# Does AGENTS.md help?",
    "#   harness evaluate eval.yaml --without file:AGENTS.md -k 10",
    "# One of twenty machines; compare takes all parts together:",
    "#   harness evaluate eval.yaml --shard 3/20 -o part-3.jsonl\n#   harness compare part-*.jsonl",
  ]);
}

function shardOf(value: string): { readonly part: number; readonly of: number } {
  const [, part, of] = /^([1-9]\d{0,5})\/([1-9]\d{0,5})$/.exec(value) ?? [];
  if (part !== undefined && Number(part) <= Number(of)) return { part: Number(part), of: Number(of) };
  throw new InvalidArgumentError("Pass a part and the number of parts, such as 3/20.");
}
