import { Command } from "commander";
import { addGraderOptions, addSection } from "../options/index.ts";
import type { GradeFlags } from "./grade-results.ts";

export function gradeCommand(): Command {
  const command = addGraderOptions(new Command("grade"))
    .description("Grade results again, without running anything: from what was recorded, and the workspaces that were kept.")
    .argument("<results>", "what capture or trials wrote")
    .option("-o, --output <file>", "where it goes; default: standard output")
    .option("--force", "overwrite a file that is not empty")
    .action(async (results: string, flags: GradeFlags) => {
      const { gradeResults } = await import("./grade-results.ts");
      await gradeResults(results, flags);
    });
  return addSection(command, "Examples", [
    "# With another idea of what is right:",
    "#   harness grade results.jsonl -g 'command:npm test' -o regraded.jsonl",
  ]);
}
