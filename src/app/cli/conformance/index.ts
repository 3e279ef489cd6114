import { Command } from "commander";
import { addSection, collected, columns, countOf } from "../options/index.ts";
import type { ConformanceFlags } from "./run-conformance.ts";

export function conformanceCommand(): Command {
  const command = new Command("conformance")
    .description("Run the real CLIs against the scripted model, and compare what we make of them with what is true.")
    .argument("[agent...]", "the agents to run; default: every one that is here")
    .option("--scenario <name>", "only this scenario; can be given several times", collected, [])
    .option("--core", "only the core of the corpus: what one must know at once")
    .option("--install", "the pinned versions, downloaded by npm where they are not in the cache; else the CLIs on PATH come first")
    .option("--record", "make fixtures of the runs that went well, in ./fixtures")
    .option("--json", "one JSON object per agent")
    .option("--report <file>", "also write the results and the exceptions into this Markdown page")
    .option("--jobs <n>", "so many runs at once", countOf, 2)
    .option("--keep", "leave the folder of every run, and name it")
    .action(async (agents: readonly string[], flags: ConformanceFlags) => {
      const { runConformance } = await import("./run-conformance.ts");
      await runConformance(agents, flags);
    });
  addSection(
    command,
    "Exit codes",
    columns([
      [0, "every run went as its scenario says; what has changed in an agent's format (drift) is told, and is no failure"],
      [1, "some did not: a regression"],
      [2, "wrong usage, or none of the agents can be run here"],
    ]),
  );
  return addSection(command, "Examples", [
    "# The core of the corpus with the Goose that is here, or else a pinned one:",
    "#   harness conformance goose --core --install",
    "# One scenario of every agent that is here, for a program:",
    "#   harness conformance --scenario read-file --json",
    "# Everything, as a page:",
    "#   harness conformance --install --report conformance.md",
  ]);
}
