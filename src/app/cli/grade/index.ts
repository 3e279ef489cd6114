import { Command } from "commander";
import { addGraderOptions, addSection, explain } from "../options/index.ts";
import type { GradeFlags } from "./grade-results.ts";

export function gradeCommand(): Command {
  const command = addGraderOptions(
    new Command("grade")
      .description("Grade existing results again")
      .argument("<results>", "the output of capture or trials")
      .option("-o, --output <file>", "write here (default: standard output)")
      .option("--force", "overwrite a file that is not empty"),
  ).action(async (results: string, flags: GradeFlags) => (await import("./grade-results.ts")).gradeResults(results, flags));
  explain(command, "Runs no agent: the grader sees the recording and the workspace that was kept.");
  return addSection(command, "Examples", [
    "# Apply a different grader:",
    "#   harness grade results.jsonl -g 'command:npm test' -o regraded.jsonl",
  ]);
}
