import { Command } from "commander";
import { addSection } from "../help.ts";
import { collected, durationOf } from "../option-values.ts";

export interface GradeFlags {
  readonly output?: string;
  readonly grader: readonly string[];
  readonly graderTimeout?: number;
  readonly force?: true;
}

export function gradeCommand(): Command {
  const command = new Command("grade")
    .description("Grade results again, without running anything: from what was recorded, and the workspaces that were kept.")
    .argument("<results>", "what capture or trials wrote")
    .option(
      "-g, --grader <grader>",
      "a module, an executable, or exact, contains, regex, command:… (repeatable: all must pass)",
      collected,
      [],
    )
    .option("--grader-timeout <time>", "how long one grade may take (5m)", durationOf)
    .option("-o, --output <file>", "where it goes; default: standard output")
    .option("--force", "overwrite a file that is not empty")
    .action(async (results: string, flags: GradeFlags) => {
      const { gradeResults } = await import("../evaluate/actions.ts");
      await gradeResults(results, flags);
    });
  return addSection(command, "Examples", [
    "# With another idea of what is right",
    "harness grade results.jsonl -g 'command:npm test' -o regraded.jsonl",
  ]);
}
