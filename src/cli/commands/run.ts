import { Command, Option } from "commander";
import { addSection, columns } from "../help.ts";
import { collected, countOf, durationOf, moneyOf, variableOf } from "../option-values.ts";

export interface RunFlags {
  readonly agent?: string;
  readonly prompt?: string;
  readonly promptFile?: string;
  readonly resume?: string;
  readonly at?: string;
  readonly model?: string;
  readonly cwd?: string;
  readonly permissions?: "full" | "default" | "read-only";
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly mcp?: readonly string[];
  readonly binary?: string;
  readonly command?: string;
  readonly like?: string;
  readonly env?: readonly string[];
  readonly secret?: readonly string[];
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
  readonly view?: string;
  readonly refs?: true;
  readonly reasoning?: true;
  readonly case?: "pascal" | "snake";
  readonly json?: true;
  readonly pretty?: true;
  readonly dryRun?: true;
  readonly keepGoing?: true;
}

export function runCommand(): Command {
  const command = new Command("run")
    .description("Run an agent, record every byte of it, and show what it does as it does it.")
    .argument("[args...]", "behind --: handed to the agent's CLI as they are; for acp its program and words")
    .option(
      "-a, --agent <id>",
      'which agent: see "harness agents", or the file of your own; default: the configured, or the only installed one',
    )
    .option("-p, --prompt <text>", "what it is to do")
    .option("--prompt-file <file>", "read the prompt from a file; - reads standard input, which is also read where no prompt is given")
    .option("--resume <run>", "go on with that run's session: its id, the unique beginning of one, last, or its directory")
    .option("--at <node>", "with --resume, for our own agent: go on from that node of its graph, not from the end")
    .option("-m, --model <name>", "the model, or a configured alias of one")
    .option("-C, --cwd <dir>", "where the agent works; default: here")
    .addOption(new Option("--permissions <level>", "what it may do without asking").choices(["full", "default", "read-only"]))
    .option("--allow <glob>", "permit calls like this: a tool, its kind, a title or a command (repeatable)", collected, [])
    .option("--deny <glob>", "refuse calls like this, whatever else permits them (repeatable)", collected, [])
    .option("--mcp <server>", "give it an MCP server: a JSON file, or name=command with its words (repeatable)", collected, [])
    .option("--binary <program>", "the agent's program, by path or name, in place of the one on PATH")
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
    .option("--tag <text>", "a tag for the run (repeatable)", collected, [])
    .option("--view <id>", "what to show: a view; default in a pipe: stream; in a terminal: an account for people")
    .option("--refs", "add seq, callId and the byte range to every record")
    .option("--reasoning", "view activity: also what the model was thinking")
    .addOption(new Option("--case <style>", "view stream: how type names are written").choices(["pascal", "snake"]))
    .option("--json", "one JSON object per line, also in a terminal")
    .addOption(new Option("--pretty", "the account for people, also in a pipe").conflicts("json"))
    .option("--keep-going", "let the run finish when the reader of our output leaves")
    .option("--dry-run", "show what would be run, and run nothing")
    .action(async (args: string[], flags: RunFlags, self: Command) => {
      const { runAgent } = await import("../actions.ts");
      await runAgent(flags, behindDashes(args, self));
    });
  addSection(
    command,
    "Statuses",
    columns([
      ["completed", "exit code 0"],
      ["failed, blocked, crashed, infrastructure", "exit code 1"],
      ["timed_out, hung", "exit code 124"],
      ["canceled", "exit code 129, 130 or 143, by the signal"],
    ]),
  );
  return addSection(command, "Examples", [
    "# What would be run",
    "harness run --agent generic --command 'echo {prompt}' --prompt 'Hello.' --dry-run",
    "# Any program is an agent: its lines are what it says",
    "harness run --agent generic --command 'echo {prompt}' --prompt 'Hello.' --view result",
    "# The next question in the session of the last run, with its agent, directory, model and permissions:",
    "#   harness run --resume last --prompt 'And now the tests.'",
    "# Only the text, as it comes",
    `harness run --agent generic --command cat --prompt 'Hello.' | grep TextDelta`,
  ]);
}

/** Words in front of `--` are a mistake: most likely a prompt without its option. */
function behindDashes(args: readonly string[], self: Command): readonly string[] {
  let root = self;
  while (root.parent !== null) root = root.parent;
  const typed: readonly string[] = (root as Command & { rawArgs: string[] }).rawArgs;
  const dashes = typed.indexOf("--");
  const behind = dashes === -1 ? 0 : typed.length - dashes - 1;
  if (args.length > behind)
    self.error(`error: unexpected argument '${args[0]}'; give the prompt with --prompt, and the agent's own arguments behind --`);
  return args;
}
