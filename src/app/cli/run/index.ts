import { Command } from "commander";
import { addAgentOptions, addSection, addShownOptions, afterDashes, definitions, explain, RUN, SIGN } from "../options/index.ts";
import type { RunFlags } from "./run-agent.ts";

export function runCommand(): Command {
  const command = addShownOptions(
    addAgentOptions(
      new Command("run")
        .description("Run an agent and record it")
        .argument("[args...]", "after --: passed to the agent's CLI unchanged; for acp, its program and arguments")
        .optionsGroup("Prompt:")
        .option("-p, --prompt <text>", "the task for the agent")
        .option("--prompt-file <file>", "read the prompt from a file; - is standard input, which is also read if no prompt is given")
        .option("--resume <run>", `continue the session of ${RUN}`)
        .option("--at <node>", "with --resume, agent native: continue from this node of the graph")
        .option("-C, --cwd <dir>", "the agent's working directory (default: the current one)"),
    ),
  )
    .option("--sign <key>", SIGN)
    .option("--keep-going", "let the run finish if the reader of the output leaves")
    .option("--dry-run", "show the command that would run, without running it")
    .action(async (args: string[], flags: RunFlags, self: Command) =>
      (await import("./run-agent.ts")).runAgent(flags, afterDashes(args, self)),
    );
  explain(command, 'Shows what the agent does while it works. Every byte it prints is recorded: "harness runs" lists the recordings.');
  addSection(
    command,
    "Exit codes",
    definitions([
      [0, "completed"],
      [1, "failed, blocked, crashed, infrastructure"],
      [124, "timed_out, hung"],
      ["129, 130, 143", "canceled by SIGHUP, SIGINT, SIGTERM"],
    ]),
  );
  return addSection(command, "Examples", [
    "# Show the command without running it",
    "harness run --command 'echo {prompt}' --prompt 'Hello.' --dry-run",
    "# Use any program as an agent: each line it prints is a message",
    "harness run --command 'echo {prompt}' --prompt 'Hello.' --view result",
    "# Run an installed agent, then ask again in the same session:",
    "#   harness run --agent claude --prompt 'Fix the failing test.'",
    "#   harness run --resume last --prompt 'Now add a test.'",
    "# Print only the text while it arrives",
    "harness run --command cat --prompt 'Hello.' | grep TextDelta",
  ]);
}
