import type { Command } from "commander";
import { collected, countOf, durationOf, moneyOf, variableOf } from "./option-values.ts";
import { addProgramOptions, type ProgramFlags } from "./program-options.ts";

/** What every command takes that runs one agent once. */
export interface AgentFlags extends Partial<ProgramFlags> {
  readonly agent?: string;
  readonly maxTurns?: number;
  readonly maxBudget?: number;
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  readonly timeout?: number;
  readonly idleTimeout?: number;
  readonly idleWarning?: number;
  readonly grace?: number;
  readonly afterResult?: number;
  readonly name?: string;
  readonly tag?: readonly string[];
}

export function addAgentOptions(command: Command): Command {
  const started = command.option(
    "-a, --agent <id>",
    'which agent: see "harness agents", or the file of your own; default: the configured, or the only installed one',
  );
  return addProgramOptions(started)
    .option(
      "--command <line>",
      "for generic and acp: the program and its words; for generic {prompt} stands for the prompt, else it goes by stdin",
    )
    .option("--like <id>", "for generic, or an agent of your own: read its output as this agent's")
    .option("--env <NAME=value>", "add a variable to the agent's environment; NAME alone passes ours on (repeatable)", variableOf, [])
    .option("--secret <NAME>", "mask the value of this variable wherever it appears (repeatable)", collected, [])
    .option("--max-turns <n>", "stop after so many turns", countOf)
    .option("--max-budget <usd>", "stop when it has cost that much", moneyOf)
    .option("--system-prompt <text>", "in place of the agent's own")
    .option("--append-system-prompt <text>", "added to the agent's own")
    .option("--timeout <time>", "end it after that long: 90s, 10m, 1h30m", durationOf)
    .option("--idle-timeout <time>", "end it after that long without output", durationOf)
    .option("--idle-warning <time>", "say so after that long without output (2m)", durationOf)
    .option("--after-result <time>", "end it that long after its result, if it does not exit (10s)", durationOf)
    .option("--grace <time>", "how long it may take to stop before it is killed (5s)", durationOf)
    .option("--name <text>", "a name for the run")
    .option("--tag <text>", "a tag for the run (repeatable)", collected, []);
}
