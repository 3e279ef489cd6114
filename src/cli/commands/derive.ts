import { Command, Option } from "commander";
import { HarnessError } from "../../core/errors.ts";
import { views } from "../../views/index.ts";
import { addSection, columns } from "../help.ts";
import { exitCodeOf, signalOf } from "../option-values.ts";
import { inTerminal } from "../output.ts";

interface Flags {
  readonly agent?: string;
  readonly view: string;
  readonly cwd?: string;
  readonly stderr?: string;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly refs?: true;
  readonly reasoning?: true;
  readonly case?: "pascal" | "snake";
  readonly json?: true;
  readonly pretty?: true;
}

export function deriveCommand(): Command {
  const command = new Command("derive")
    .description("Turn what an agent printed into a view of it.")
    .argument("<file>", "the agent's standard output, as it printed it; - reads ours")
    .option("--agent <id>", 'who printed it (required): see "harness agents"')
    .option("--view <id>", "what to turn it into", "activity")
    .option("--cwd <dir>", "the directory the agent worked in, for paths it printed relative to it")
    .option("--stderr <file>", "its standard error, if that was kept")
    .option("--exit-code <n>", "its exit code, if that is known: 0 to 255", exitCodeOf)
    .addOption(
      new Option("--signal <name>", "the signal that ended it, if one did: SIGTERM, TERM or 15").argParser(signalOf).conflicts("exitCode"),
    )
    .option("--refs", "add seq, callId and the byte range to every record, so that views join")
    .option("--reasoning", "view activity: also what the model was thinking")
    .addOption(new Option("--case <style>", "view stream: how type names are written").choices(["pascal", "snake"]))
    .option("--json", "one JSON object per line, also in a terminal")
    .addOption(new Option("--pretty", "a readable account, also in a pipe").conflicts("json"))
    .action(run);
  addSection(command, "Views", columns(Object.values(views).map(({ id, title }) => [id, title])));
  return addSection(command, "Examples", [
    "# What the agent did",
    "harness derive fixtures/claude/full/raw.jsonl --agent claude",
    "# Only its failed commands",
    `harness derive fixtures/claude/full/raw.jsonl --agent claude | grep '"command"' | grep '"isSuccess":false'`,
    "# What is known besides its output decides how the run went",
    "harness derive fixtures/claude/full/raw.jsonl --agent claude --view result --exit-code 0",
    "# The readable account in a pipe, in color",
    "FORCE_COLOR=1 harness derive fixtures/claude/full/raw.jsonl --agent claude --view stream --pretty | tail -n 5",
    "# From a pipe, in the other spelling of type names",
    "cat fixtures/codex/full/raw.jsonl | harness derive - --agent codex --view stream --case snake",
  ]);
}

async function run(file: string, { agent, view, json, pretty, ...flags }: Flags): Promise<void> {
  const [{ derive, findView }, { standardInput }, { printRecords }, { watch }] = await Promise.all([
    import("../../derive/derive.ts"),
    import("../standard-input.ts"),
    import("../print-records.ts"),
    import("../progress.ts"),
  ]);
  if (agent === undefined) throw await noAgent();
  const { view: watched, done } = await watch(findView(view), file);
  const source = file === "-" ? standardInput() : file;
  const derivation = derive(source, { ...flags, agent, view: watched });
  try {
    await printRecords(derivation.batches(), { view, readable: pretty ?? (inTerminal() && json !== true) });
  } finally {
    done();
  }
}

async function noAgent(): Promise<HarnessError> {
  const { agents } = await import("../../agents/index.ts");
  return new HarnessError("usage", `Say who printed it with --agent <id>: ${Object.keys(agents).join(", ")}.`);
}
