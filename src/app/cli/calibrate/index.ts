import { Command } from "commander";
import { addSection, countOf } from "../options/index.ts";
import type { CalibrateFlags } from "./print-calibration.ts";

export function calibrateCommand(): Command {
  const command = new Command("calibrate")
    .description("Draw some failures for a person to look at: was it the agent, or the grader?")
    .argument("<results>", "what capture or trials wrote, with grades")
    .option("--sample <n>", "how many", countOf, 10)
    .option("--seed <seed>", "what they are drawn by", "1")
    .option("--all", "also of those that passed")
    .option("-o, --output <file>", "where the page goes; default: standard output")
    .option("--json", "one JSON object per trial in place of the page")
    .option("--force", "overwrite a file that is not empty")
    .action(async (results: string, flags: CalibrateFlags) => {
      const { printCalibration } = await import("./print-calibration.ts");
      await printCalibration(results, flags);
    });
  return addSection(command, "Examples", ["#   harness calibrate trials.jsonl --sample 20 -o calibration.md"]);
}
