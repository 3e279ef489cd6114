import { Command } from "commander";
import { addAgentOptions, addSection, addShownOptions, afterDashes, columns } from "../options/index.ts";
import type { RunFlags } from "./run-agent.ts";

export function runCommand(): Command {
  const command = addShownOptions(
    addAgentOptions(
      new Command("run")
        .description("Run an agent, record every byte of it, and show what it does as it does it.")
        .argument("[args...]", "behind --: handed to the agent's CLI as they are; for acp its program and words")
        .option("-p, --prompt <text>", "what it is to do")
        .option("--prompt-file <file>", "read the prompt from a file; - reads standard input, which is also read where no prompt is given")
        .option("--resume <run>", "go on with that run's session: its id, the unique beginning of one, last, or its directory")
        .option("--at <node>", "with --resume, for our own agent: go on from that node of its graph, not from the end")
        .option("-C, --cwd <dir>", "where the agent works; default: here"),
    ),
  )
    .option("--keep-going", "let the run finish when the reader of our output leaves")
    .option("--dry-run", "show what would be run, and run nothing")
    .action(async (args: string[], flags: RunFlags, self: Command) => {
      const { runAgent } = await import("./run-agent.ts");
      await runAgent(flags, afterDashes(args, self));
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
