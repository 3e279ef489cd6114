import { Command, Option } from "commander";
import { addAgentOptions, addSection, collected, columns, words } from "../options/index.ts";
import type { ObserveFlags } from "./run-observation.ts";

export function observeCommand(): Command {
  const command = addAgentOptions(
    new Command("observe")
      .description("Run an agent in a workspace of its own, and establish from outside what it did: files, commands, checks.")
      .argument("[scenario]", "a file: Markdown with its sections, or YAML; in its place --prompt")
      .option("-p, --prompt <text>", "what it is to do, in place of a scenario")
      .option("--prompt-file <file>", "the same from a file; - reads standard input")
      .option("--workspace <dir>", "the agent gets a copy of this directory")
      .addOption(new Option("--empty", "the agent gets an empty directory; this is the default").conflicts("workspace"))
      .option(
        "--ignore <rule>",
        "neither copied nor looked at: a name anywhere, or a path; * is any part of a name (repeatable)",
        collected,
        [],
      )
      .option("-o, --out <dir>", "where the observation goes; default: ./runs/<run id>")
      .addOption(
        new Option("--capture <mode>", "how the request and the command line are shown (full)").choices(["full", "redacted", "hashed"]),
      )
      .addOption(new Option("--environment <name>", "where this happens (local)").choices(["local", "ci", "staging", "prod", "unknown"]))
      .option("--wrap <names>", "watch these commands by wrappers on the agent's PATH: git,npm,…, or all", words)
      .option("--trace", "trace every start of a program, writes beside the workspace and connections, where the machine allows it")
      .option("--ledger <file>", "what the model wrote down (harness model --ledger), to compare its tokens with the agent's")
      .option("--checks <names>", "further checks, by name, separated by commas", words)
      .option("--policy <file>", "further checks, as a file: YAML or a module")
      .addOption(
        new Option("--snapshots <when>", "also look at the files while it runs, after each call that may change them").choices(["turns"]),
      )
      .option("--sign <key>", "sign the seal with this SSH key: a private key, or a public one whose private key an agent holds")
      .option("--json", "one JSON object per line, also in a terminal"),
  ).action(async (scenario: string | undefined, flags: ObserveFlags) =>
    (await import("./run-observation.ts")).runObservation(scenario, flags),
  );
  addSection(
    command,
    "Verdicts",
    columns([
      ["no check failed", "exit code 0; a warning, or what could not be decided, fails nothing"],
      ["a check failed", "exit code 1"],
      ["the run did not complete", "as for run: 1, 124, 129, 130, 143"],
    ]),
  );
  return addSection(command, "Examples", [
    "# Any program is an agent: what it said, and what it did to the files",
    `harness observe --agent generic --command 'sh -c "touch made; echo Done."' --prompt 'Make a file.' --out "$(mktemp -d)/observed" 2>&1 | grep made`,
    "# Is it what it says it is?",
    "#   harness verify observed",
    "# A scenario, on a copy of this directory, with the commands it runs:",
    "#   harness observe scenario.md --agent claude --workspace . --wrap git,npm,node",
  ]);
}
