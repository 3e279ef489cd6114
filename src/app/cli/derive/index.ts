import { Command, Option } from "commander";
import { views } from "../../../pure/views/index.ts";
import type { DeriveFlags } from "../derive-input.ts";
import { addSection, columns, exitCodeOf, signalOf } from "../options/index.ts";

export function deriveCommand(): Command {
  const command = new Command("derive")
    .description("Turn what an agent printed into a view of it: of a recorded run, or of any file that somebody kept.")
    .argument("<input>", "a run (id, unique beginning, last, or its directory), a file of an agent's standard output, or - for ours")
    .option("--agent <id>", 'who printed it: see "harness agents", or the file of your own; a recorded run knows it')
    .option("--view <id>", "what to turn it into; default: activity")
    .option("--follow", "wait for more while the run goes on")
    .option("--cwd <dir>", "for a file: the directory the agent worked in, for paths it printed relative to it")
    .option("--stderr <file>", "for a file: its standard error, if that was kept")
    .option("--exit-code <n>", "for a file: its exit code, if that is known: 0 to 255", exitCodeOf)
    .addOption(
      new Option("--signal <name>", "for a file: the signal that ended it, if one did: SIGTERM, TERM or 15")
        .argParser(signalOf)
        .conflicts("exitCode"),
    )
    .option("--refs", "add seq, callId and the byte range to every record, so that views join")
    .option("--reasoning", "view activity: also what the model was thinking")
    .addOption(new Option("--case <style>", "view stream: how type names are written").choices(["pascal", "snake"]))
    .option("--json", "one JSON object per line, also in a terminal")
    .addOption(new Option("--pretty", "a readable account, also in a pipe").conflicts("json"))
    .action(async (input: string, flags: DeriveFlags) => {
      const { deriveInput } = await import("../derive-input.ts");
      await deriveInput(input, flags);
    });
  addSection(command, "Views", columns(Object.values(views).map(({ id, title }) => [id, title])));
  return addSection(command, "Examples", [
    "# A run to look at",
    "harness demo --speed max",
    "# What the agent did",
    "harness derive last",
    "# Only its failed commands",
    `harness derive last | grep '"command"' | grep '"isSuccess":false'`,
    "# The readable account in a pipe, in color",
    "FORCE_COLOR=1 harness derive last --view stream --pretty | tail -n 5",
    "# What an agent printed elsewhere; what is known besides its output decides how the run went:",
    "#   harness derive raw.jsonl --agent claude --view result --exit-code 0",
    "# From a pipe, in the other spelling of type names",
    `echo '{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"Hi."}}' | harness derive - --agent codex --view stream --case snake`,
  ]);
}
