import { Command, InvalidArgumentError, Option } from "commander";
import { addAgentOptions, addSection, collected, definitions, explain, listed, SIGN } from "../options/index.ts";
import { FAILURES, type Failure } from "./failure.ts";
import type { ObserveFlags } from "./run-observation.ts";

function failures(value: string): readonly Failure[] {
  const kinds = listed(value);
  const unknown = kinds.find((kind) => !FAILURES.some((each) => each === kind));
  if (kinds.length === 0 || unknown !== undefined)
    throw new InvalidArgumentError("Pass check, contradiction, or both, separated by a comma.");
  return FAILURES.filter((each) => kinds.includes(each));
}

export function observeCommand(): Command {
  const command = addAgentOptions(
    new Command("observe")
      .description("Run an agent and check from outside what it did")
      .argument("[scenario-file]", "a scenario in Markdown or YAML; or pass --prompt")
      .optionsGroup("Prompt:")
      .option("-p, --prompt <text>", "the task for the agent, instead of a scenario")
      .option("--prompt-file <file>", "read the prompt from a file; - is standard input")
      .optionsGroup("Workspace:")
      .option("--workspace <dir>", "give the agent a copy of this directory")
      .addOption(new Option("--empty", "give the agent an empty directory (the default)").conflicts("workspace"))
      .option("--ignore <rule>", "do not copy or check: a name anywhere, or a path; * matches part of a name (repeatable)", collected, [])
      .optionsGroup("Evidence:")
      .option("--wrap <names>", "record these commands with wrappers on the agent's PATH: git,npm,…, or all", listed)
      .option("--trace", "trace program starts, connections, and writes outside the workspace, if the machine allows it")
      .addOption(
        new Option("--snapshots <when>", "also check the files during the run, after calls that may change them").choices(["turns"]),
      )
      .option("--ledger <file>", "compare tokens with this ledger of harness model")
      .option("--checks <checks>", "add these checks, separated by commas", listed)
      .option("--policy <file>", "add the checks of this file: YAML or a module")
      .optionsGroup("Output:")
      .option("-o, --out <dir>", "write the observation here (default: ./runs/<run id>)")
      .option("--sign <key>", SIGN)
      .addOption(new Option("--capture <mode>", "how to store the prompt and the command line").choices(["full", "redacted", "hashed"]))
      .addOption(new Option("--environment <name>", "the environment to record").choices(["local", "ci", "staging", "prod", "unknown"]))
      .option("--fail-on <kinds>", "exit with 1 for these: check, contradiction (default: check)", failures)
      .option("--json", "print one JSON object per line, even in a terminal"),
  ).action(async (scenario: string | undefined, flags: ObserveFlags) =>
    (await import("./run-observation.ts")).runObservation(scenario, flags),
  );
  explain(
    command,
    "The agent works in its own workspace. harness compares the files before and after, records the commands, runs the checks, and seals the result.",
  );
  addSection(
    command,
    "Exit codes",
    definitions([
      [0, "no check failed; warnings and undecided checks do not count"],
      [1, "a check failed; with --fail-on contradiction: the agent's report is contradicted"],
      ["1, 124, 129, 130, 143", "the run did not complete: as for run"],
    ]),
  );
  return addSection(command, "Examples", [
    "# Observe any program: what it printed, and which files it changed",
    `harness observe --command 'sh -c "touch made; echo Done."' \\\n    --prompt 'Make a file.' --out "$(mktemp -d)/observed" 2>&1 | grep made`,
    "# Check later that the observation is intact:",
    "#   harness verify observed",
    "# Run a scenario on a copy of this directory, and record its commands:",
    "#   harness observe scenario.md --agent claude --workspace . --wrap git,npm",
    "# Fail if the agent says something else than it did:",
    "#   harness observe task.md --agent claude --fail-on contradiction,check",
  ]);
}
