import { Command } from "commander";
import { addSection, explain } from "../options/index.ts";
import type { SummarizeFlags } from "./summarize-results.ts";

export function summarizeCommand(): Command {
  const command = new Command("summarize")
    .description("Shorten results to one line or one section per case")
    .argument("<results>", "the output of capture or trials")
    .option("--markdown", "print Markdown sections instead of JSON lines")
    .option("-o, --output <file>", "write here (default: standard output)")
    .option("--force", "overwrite a file that is not empty")
    .action(async (results: string, flags: SummarizeFlags) => (await import("./summarize-results.ts")).summarizeResults(results, flags));
  explain(command, "The summary format of specification 004: JSON lines for programs, Markdown for a reader or a judging model.");
  return addSection(command, "Examples", [
    "# The average duration of the cases:",
    "#   harness summarize results.jsonl | jq -s 'map(.duration) | add / length'",
    "# A page for a judge:",
    "#   harness summarize results.jsonl --markdown -o results.md",
  ]);
}
