import { type Command, Option } from "commander";
import type { Limits } from "../../../work/evaluate/index.ts";
import { addGraderOptions, type GraderFlags } from "./grader-options.ts";
import { parseLimits } from "./limits.ts";
import { collected, countOf, moneyOf, variableOf } from "./option-values.ts";
import { addProgramOptions, type ProgramFlags } from "./program-options.ts";

/** What `capture` and `trials` have in common. */
export interface EvaluationFlags extends GraderFlags, ProgramFlags {
  readonly output?: string;
  readonly agent: readonly string[];
  readonly concurrency?: Limits;
  readonly progress?: true;
  readonly append?: true;
  readonly force?: true;
  readonly allowMixed?: true;
  readonly timeout?: number;
  readonly cwd?: string;
  readonly workspace?: string;
  readonly home?: "private" | "inherit";
  readonly only?: readonly string[];
  readonly where: readonly string[];
  readonly sample?: number;
  readonly seed?: string;
  readonly maxCost?: number;
  readonly retryInfrastructure?: number;
}

export function addEvaluationOptions(command: Command): Command {
  const working = addGraderOptions(command)
    .argument("<prompts>", "the data set: JSON lines with id and input; - reads standard input")
    .argument("[command...]", "an ACP agent's command, in place of --agent; our own options are recognised among its words")
    .allowUnknownOption()
    .option("-o, --output <file>", "where the results go, a line each as it is finished; default: standard output")
    .option("-a, --agent <id>", 'which agent, see "harness agents"; several give a matrix (repeatable)', collected, [])
    .option("-j, --concurrency <n>", "how many at once: 8, or claude=4,codex=8; default: the number of cores", parseLimits)
    .option("--progress", "tell on stderr what happens, also in a pipe")
    .option("--append", "go on where an earlier call stopped: what is finished stays as it is")
    .addOption(new Option("--force", "overwrite an output file that holds results").conflicts("append"))
    .option("--allow-mixed", "with --append: also where the cases, the agent or its options have changed since")
    .option("-t, --timeout <ms>", "end a run after so many milliseconds; a case may have its own", countOf)
    .option("-c, --cwd <dir>", "the directory to work on; every run gets a copy of its own")
    .addOption(new Option("--workspace <template>", "the same, or a repository: git url@ref").conflicts("cwd"))
    .addOption(new Option("--home <kind>", "a home of its own with the agent's credentials, or ours").choices(["private", "inherit"]));
  return addProgramOptions(working)
    .option("--command <line>", "for generic: the program and its words; {prompt} stands for the prompt")
    .option("--like <id>", "for generic, or an agent of your own: read its output as this agent's")
    .option("--env <NAME=value>", "add a variable to the agent's environment (repeatable)", variableOf, [])
    .option("--secret <NAME>", "mask the value of this variable wherever it appears (repeatable)", collected, [])
    .option("--only <ids>", "only these cases, separated by commas", (value: string) => value.split(","))
    .option("--where <name=value>", "only cases whose metadata says so (repeatable)", collected, [])
    .option("--sample <n>", "so many of them, chosen by the seed", countOf)
    .option("--seed <seed>", "what a sample is drawn by (1)")
    .option("--max-cost <usd>", "start nothing more once the agents have reported that much", moneyOf)
    .option("--retry-infrastructure <n>", "repeat a run that the model's provider lost, so often", countOf);
}
