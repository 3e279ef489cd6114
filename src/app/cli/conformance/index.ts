import { Command } from "commander";
import { addSection, collected, countOf, definitions, explain, levelOf } from "../options/index.ts";
import type { ConformanceFlags } from "./run-conformance.ts";

export function conformanceCommand(): Command {
  const command = new Command("conformance")
    .description("Test real agents against the scripted model")
    .argument("[pinned-agent...]", "the agents to test (default: every agent found here)")
    .option("--scenario <scenario>", "run only this scenario (repeatable)", collected, [])
    .option("--core", "run only the core scenarios")
    .option("--install", "use the pinned versions, and download missing ones with npm (default: the CLIs on PATH)")
    .option("--record", "save good runs as fixtures in ./fixtures")
    .option("--json", "print one JSON object per agent")
    .option("--report <file>", "also write the results and exceptions to this Markdown page")
    .option("--jobs <n>", "runs in parallel", countOf, 2)
    .option("--isolate <level>", "run each agent inside walls of this level", levelOf)
    .option("--wire", "record each agent's requests, and compare them with what the model served")
    .option("--rerun <n>", "instead, record each run sealed and run it again n times with its recorded model", countOf)
    .option("--keep", "keep the folder of every run, and print its path")
    .action(async (agents: readonly string[], flags: ConformanceFlags) =>
      (await import("./run-conformance.ts")).runConformance(agents, flags),
    );
  explain(
    command,
    "Runs each scenario with the real CLI, and compares what harness derives with what the scripted model knows to be true.",
  );
  addSection(
    command,
    "Exit codes",
    definitions([
      [0, "every run matches its scenario; a changed output format (drift) is reported, but is not a failure"],
      [1, "a run does not match: a regression"],
      [2, "wrong usage, or none of the agents can run here"],
    ]),
  );
  return addSection(command, "Examples", [
    "# The core scenarios with goose, downloaded if it is missing:",
    "#   harness conformance goose --core --install",
    "# One scenario with every agent found here, as JSON:",
    "#   harness conformance --scenario read-file --json",
    "# Everything, as a page:",
    "#   harness conformance --install --report conformance.md",
  ]);
}
