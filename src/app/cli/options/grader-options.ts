import type { Command } from "commander";
import { collected, durationOf } from "./option-values.ts";

export interface GraderFlags {
  readonly grader: readonly string[];
  readonly graderTimeout?: number;
  readonly judge?: string;
  readonly judgeModel?: string;
  readonly judgeUrl?: string;
}

export function addGraderOptions(command: Command): Command {
  return addJudgeOptions(
    command
      .optionsGroup("Grading:")
      .option(
        "-g, --grader <grader>",
        "exact, contains, regex, command:<line>, llm:<rubric file>, a module or an executable (repeatable: all must pass)",
        collected,
        [],
      )
      .option("--grader-timeout <time>", "the time limit for one grade (default: 5m)", durationOf),
  );
}

export function addJudgeOptions(command: Command): Command {
  return command
    .option("--judge <agent>", "the agent that judges")
    .option("--judge-model <model>", "the judge's model")
    .option("--judge-url <url>", "judge with an OpenAI-compatible endpoint instead; its key is in JUDGE_API_KEY");
}
