import { Command } from "commander";
import { addSection } from "../help.ts";
import { collected, durationOf } from "../option-values.ts";

export interface ValidateRefsFlags {
  readonly output?: string;
  readonly grader: readonly string[];
  readonly graderTimeout?: number;
  readonly workspace?: string;
  readonly force?: true;
}

export function validateRefsCommand(): Command {
  const command = new Command("validate-refs")
    .description("Check that the grader passes the reference solutions: exit code 1 if it does not.")
    .argument("<prompts>", "the data set; cases without a reference are skipped")
    .option(
      "-g, --grader <grader>",
      "a module, an executable, or exact, contains, regex, command:… (repeatable: all must pass)",
      collected,
      [],
    )
    .option("--grader-timeout <time>", "how long one grade may take (5m)", durationOf)
    .option("--workspace <template>", "for cases that name none: a directory, or git url@ref")
    .option("-o, --output <file>", "where it goes; default: standard output")
    .option("--force", "overwrite a file that is not empty")
    .action(async (prompts: string, flags: ValidateRefsFlags) => {
      const { validateRefs } = await import("../evaluate/actions.ts");
      await validateRefs(prompts, flags);
    });
  return addSection(command, "Examples", ["harness validate-refs prompts.jsonl -g ./grader.ts"]);
}
