import { Command, Option } from "commander";
import { views } from "../../../pure/views/index.ts";
import type { DeriveFlags } from "../derive-input.ts";
import { addSection, addShownOptions, definitions, exitCodeOf, signalOf } from "../options/index.ts";

export function deriveCommand(): Command {
  const command = addShownOptions(
    new Command("derive")
      .description("Convert recorded output to a different format")
      .argument(
        "<input>",
        "a run (id, unique prefix, last, directory), a file with an agent's output, a session log (*.ndjson), or - for standard input",
      )
      .option("--follow", "for a live run: wait for more until it ends")
      .optionsGroup("For a file:")
      .option("--agent <agent>", 'the agent that printed it: an id from "harness agents", or your own agent file (default: recognized)')
      .option("--cwd <dir>", "the directory the agent worked in, to resolve relative paths")
      .option("--stderr <file>", "the agent's standard error")
      .option("--exit-code <n>", "the agent's exit code, 0 to 255", exitCodeOf)
      .addOption(
        new Option("--signal <signal>", "the signal that ended the agent: SIGTERM, TERM or 15").argParser(signalOf).conflicts("exitCode"),
      ),
    "the view to print (default: activity)",
  ).action(async (input: string, flags: DeriveFlags) => (await import("../derive-input.ts")).deriveInput(input, flags));
  addSection(command, "Views", definitions(Object.values(views).map(({ id, title }) => [id, title])));
  return addSection(command, "Examples", [
    "# Record a run, then print what the agent did",
    "harness demo --speed max",
    "harness derive last",
    "# Print only failed commands",
    `harness derive last | grep '"command"' | grep '"isSuccess":false'`,
    "# Print readable text in color through a pipe",
    "FORCE_COLOR=1 harness derive last --view stream --pretty | tail -n 5",
    "# Read output that was saved elsewhere:",
    "#   harness derive raw.jsonl --agent claude --view result --exit-code 0",
    "# Read a pipe, and print type names in snake case",
    "echo 'Hello.' | harness derive - --agent generic --view stream --case snake",
  ]);
}
