import type { Command } from "commander";
import { collected, durationOf } from "./option-values.ts";

/** How it is graded; the same for every command that grades. */
export interface GraderFlags {
  readonly grader: readonly string[];
  readonly graderTimeout?: number;
  readonly judge?: string;
  readonly judgeModel?: string;
  readonly judgeUrl?: string;
}

export function addGraderOptions(command: Command): Command {
  return command
    .option(
      "-g, --grader <grader>",
      "a module, an executable, or exact, contains, regex, command:… (repeatable: all must pass)",
      collected,
      [],
    )
    .option("--grader-timeout <time>", "how long one grade may take (5m)", durationOf)
    .option("--judge <agent>", "who decides for llm:<rubric file>: an agent")
    .option("--judge-model <name>", "the judge's model")
    .option("--judge-url <base>", "in place of an agent: an OpenAI-compatible endpoint; its key is in JUDGE_API_KEY");
}
