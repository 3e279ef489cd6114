import { type Command, Option } from "commander";
import type { OutOfTime } from "../../../pure/verdicts/index.ts";
import type { Limits } from "../../../work/evaluate/index.ts";
import { addGraderOptions, type GraderFlags } from "./grader-options.ts";
import { parseLimits } from "./limits.ts";
import { collected, countOf, limitOf, moneyOf } from "./option-values.ts";
import { addProgramOptions, type ProgramFlags } from "./program-options.ts";
import { SIGN } from "./run-argument.ts";

export interface EvaluationFlags extends GraderFlags, ProgramFlags {
  readonly output?: string;
  readonly agent: readonly string[];
  readonly concurrency?: Limits;
  readonly progress?: true;
  readonly append?: true;
  readonly force?: true;
  readonly allowMixed?: true;
  readonly trustGrades?: true;
  readonly check: boolean;
  readonly checkRefs?: true;
  readonly timeout?: number;
  readonly outOfTime?: OutOfTime;
  readonly cwd?: string;
  readonly workspace?: string;
  readonly home?: "private" | "inherit";
  readonly only?: readonly string[];
  readonly where: readonly string[];
  readonly sample?: number;
  readonly seed?: string;
  readonly maxCost?: number;
  readonly retryInfrastructure?: number;
  readonly sign?: string;
}

/** For the commands that compute pass rates. */
export function outOfTimeOption(): Option {
  return new Option("--out-of-time <how>", "trials out of time are failed, or ignored in pass rates (default: failed)").choices([
    "failed",
    "ignored",
  ]);
}

export function gateOption(): Option {
  return new Option(
    "--gate <rule>",
    "exit code 1 if a side misses it: pass-rate, calls, failed, retries, files or skill:<name>, then a limit: 'calls <= 10' (repeatable)",
  )
    .argParser(collected)
    .default([]);
}

export function seedOption(): Option {
  return new Option("--seed <seed>", "the seed for --sample (default: 1)");
}

export function limitsOption(): Option {
  return new Option("-j, --concurrency <limits>", "runs in parallel: 8, or claude=4,codex=8 (default: the number of cores)").argParser(
    parseLimits,
  );
}

export function addEvaluationOptions(command: Command): Command {
  const graded = addGraderOptions(
    command
      .argument("<prompts>", "the data set: JSON lines, JSON, YAML, CSV, or a directory of tasks; - reads JSON lines from standard input")
      .argument("[command...]", "the command of an ACP agent, instead of --agent")
      .allowUnknownOption()
      .optionsGroup("Results:")
      .option("-o, --output <file>", "append each result here when it is finished (default: standard output)")
      .option("--append", "continue an earlier call: finished results stay unchanged")
      .addOption(new Option("--force", "overwrite an output file that holds results").conflicts("append"))
      .option("--allow-mixed", "with --append: allow changed cases, agents or options")
      .option("--trust-grades", "with --append: believe the earlier grades instead of making them again")
      .option("--no-check", "start without checking agents, graders and workspaces")
      .option("--check-refs", "before anything runs, check that the grader passes the reference solutions")
      .option("--sign <key>", SIGN)
      .option("--progress", "report progress on stderr, even in a pipe"),
  );
  const working = graded
    .optionsGroup("Cases:")
    .option("--only <ids>", "run only these cases, separated by commas", (value: string) => value.split(","))
    .option("--where <name=value>", "run only cases with this metadata (repeatable)", collected, [])
    .option("--sample <n>", "run n of the cases, chosen by the seed", countOf)
    .addOption(seedOption())
    .option("-c, --cwd <dir>", "the directory to work on; every run gets its own copy")
    .addOption(new Option("--workspace <template>", "like --cwd, or a repository: <url or path>@<ref>").conflicts("cwd"))
    .optionsGroup("Limits:")
    .addOption(limitsOption())
    .option("-t, --timeout <time>", "stop a run after this time: 10m, 90s, or milliseconds; a case may set its own", limitOf)
    .addOption(outOfTimeOption())
    .option("--max-cost <usd>", "start no further run once agents and judges have reported this cost", moneyOf)
    .option("--retry-infrastructure <n>", "repeat a run up to n times if the model's provider failed", countOf)
    .optionsGroup("Agent:")
    .option("-a, --agent <agent>", 'an id from "harness agents", or your own agent file (repeatable)', collected, [])
    .addOption(new Option("--home <kind>", "a private home with the agent's credentials, or yours").choices(["private", "inherit"]));
  return addProgramOptions(working);
}
