import { Command } from "commander";
import { addGraderOptions, addSection, explain } from "../options/index.ts";
import type { ValidateRefsFlags } from "./print-reference-checks.ts";

export function validateRefsCommand(): Command {
  const command = addGraderOptions(
    new Command("validate-refs")
      .description("Check that the grader passes the reference solutions")
      .argument("<prompts>", "the data set; cases without a reference are skipped")
      .option("--workspace <template>", "for cases without their own: a directory, or <url or path>@<ref>")
      .option("-o, --output <file>", "write here (default: standard output)")
      .option("--force", "overwrite a file that is not empty"),
  ).action(async (prompts: string, flags: ValidateRefsFlags) =>
    (await import("./print-reference-checks.ts")).printReferenceChecks(prompts, flags),
  );
  explain(
    command,
    "Refs are the reference solutions of a data set; the name comes from specification 004. Exit code 1: the grader fails one of them.",
  );
  return addSection(command, "Examples", ["#   harness validate-refs prompts.jsonl -g ./grader.ts"]);
}
