import { Command } from "commander";
import { addGraderOptions, addSection } from "../options/index.ts";
import type { ValidateRefsFlags } from "./print-reference-checks.ts";

export function validateRefsCommand(): Command {
  const command = addGraderOptions(new Command("validate-refs"))
    .description("Check that the grader passes the reference solutions: exit code 1 if it does not.")
    .argument("<prompts>", "the data set; cases without a reference are skipped")
    .option("--workspace <template>", "for cases that name none: a directory, or git url@ref")
    .option("-o, --output <file>", "where it goes; default: standard output")
    .option("--force", "overwrite a file that is not empty")
    .action(async (prompts: string, flags: ValidateRefsFlags) => {
      const { printReferenceChecks } = await import("./print-reference-checks.ts");
      await printReferenceChecks(prompts, flags);
    });
  return addSection(command, "Examples", ["#   harness validate-refs prompts.jsonl -g ./grader.ts"]);
}
