import { Command, Option } from "commander";
import { addSection, explain } from "../options/index.ts";
import type { GraphFlags, GraphFormat } from "./print-graph.ts";

const formats: readonly GraphFormat[] = ["json", "dot", "mermaid", "svg"];

export function graphCommand(): Command {
  const command = new Command("graph")
    .description("Draw the conversation of a run")
    .argument("<input>", "a run (id, unique prefix, last, directory), a file with an agent's output, or - for standard input")
    .option("--agent <agent>", 'for a file: the agent that printed it, see "harness agents"')
    .addOption(new Option("--format <format>", "the output format (default: from the file name, else json)").choices([...formats]))
    .option("-o, --output <file>", "write here (default: standard output)")
    .option("--force", "overwrite a file that is not empty")
    .action(async (input: string, flags: GraphFlags) => (await import("./print-graph.ts")).printGraph(input, flags));
  explain(command, "Shows the messages, tool calls, results and subagents, and how they depend on each other.");
  return addSection(command, "Examples", [
    "# Draw the demo for a Markdown page",
    "harness demo --speed max",
    "harness graph last --format mermaid",
    "# Count the tools that were called",
    `harness graph last | grep -o '"name":"[^"]*"' | sort | uniq -c`,
    "# Write a picture for the browser, in light or dark colors:",
    "#   harness graph last -o run.svg",
  ]);
}
