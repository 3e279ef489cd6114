import { Command, Option } from "commander";
import { addSection } from "../options/index.ts";
import type { GraphFlags, GraphFormat } from "./print-graph.ts";

const formats: readonly GraphFormat[] = ["json", "dot", "mermaid", "svg"];

export function graphCommand(): Command {
  const command = new Command("graph")
    .description("Draw the conversation of a run: who said, called and answered what, and which subagents worked for whom.")
    .argument("<input>", "a run (id, unique beginning, last, or its directory), a file of an agent's standard output, or - for ours")
    .option("--agent <id>", 'who printed it: see "harness agents"; a recorded run knows it')
    .addOption(new Option("--format <name>", "what to make; default: as the name of the output file ends, else json").choices([...formats]))
    .option("-o, --output <file>", "where it goes; default: standard output")
    .option("--force", "overwrite a file that is not empty")
    .action(async (input: string, flags: GraphFlags) => {
      const { printGraph } = await import("./print-graph.ts");
      await printGraph(input, flags);
    });
  return addSection(command, "Examples", [
    "# A run with a subagent",
    "harness demo --speed max",
    "# For a page of Markdown",
    "harness graph last --format mermaid",
    "# Which tools were called, from the whole graph",
    `harness graph last | grep -o '"name":"[^"]*"' | sort | uniq -c`,
    "# A picture to look at in a browser; light or dark, as the browser is:",
    "#   harness graph last -o run.svg",
    "# Of what an agent printed elsewhere:",
    "#   harness graph raw.jsonl --agent claude -o run.svg",
  ]);
}
