import { Command } from "commander";
import { addSection, countOf, explain } from "../options/index.ts";
import type { CalibrateFlags } from "./print-calibration.ts";

export function calibrateCommand(): Command {
  const command = new Command("calibrate")
    .description("Sample failures for a person to review")
    .argument("<results>", "the output of capture or trials, with grades")
    .option("--sample <n>", "the number of failures", countOf, 10)
    .option("--seed <seed>", "the seed of the sample", "1")
    .option("--all", "sample trials that passed too")
    .option("--read <file>", "read the ticked boxes of a page back, and report how often the grader is right")
    .option("-o, --output <file>", "write the page here (default: standard output)")
    .option("--json", "print JSON: one object per trial, or with --read the review")
    .option("--force", "overwrite a file that is not empty")
    .action(async (results: string, flags: CalibrateFlags) => (await import("./print-calibration.ts")).printCalibration(results, flags));
  explain(command, "To calibrate is to check the grader: for each failure, a person decides whether the agent or the grader was wrong.");
  return addSection(command, "Examples", [
    "#   harness calibrate trials.jsonl --sample 20 -o calibration.md",
    "# Tick a box for each trial in an editor, then:",
    "#   harness calibrate trials.jsonl --read calibration.md",
  ]);
}
