import type { Command } from "commander";
import { collected, countOf, durationOf, moneyOf } from "./option-values.ts";
import { addProgramOptions, type ProgramFlags } from "./program-options.ts";

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
  const started = command
    .optionsGroup("Agent:")
    .option(
      "-a, --agent <agent>",
      'an id from "harness agents", or your own agent file (default: the configured or the only installed one)',
    );
  return addProgramOptions(started)
    .option("--system-prompt <text>", "replace the agent's system prompt")
    .option("--append-system-prompt <text>", "add to the agent's system prompt")
    .optionsGroup("Limits:")
    .option("--max-turns <n>", "stop after n turns", countOf)
    .option("--max-budget <usd>", "stop when the run has cost this much", moneyOf)
    .option("--timeout <time>", "stop the run after this time: 90s, 10m, 1h30m", durationOf)
    .option("--idle-timeout <time>", "stop the run after this time without output", durationOf)
    .option("--idle-warning <time>", "warn after this time without output (default: 2m)", durationOf)
    .option("--after-result <time>", "stop the agent if it runs this long after its result (default: 10s)", durationOf)
    .option("--grace <time>", "kill the agent if it takes longer than this to stop (default: 5s)", durationOf)
    .optionsGroup("Recording:")
    .option("--name <text>", "a name for the run")
    .option("--tag <text>", "a tag for the run (repeatable)", collected, []);
}
