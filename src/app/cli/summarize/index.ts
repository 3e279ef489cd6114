import { Command } from "commander";
import { addSection } from "../options/index.ts";
import type { SummarizeFlags } from "./summarize-results.ts";

export function summarizeCommand(): Command {
  const command = new Command("summarize")
    .description("Make a compact view of results: a line each, or a page for a reader or a judging model.")
    .argument("<results>", "what capture or trials wrote")
    .option("-o, --output <file>", "where it goes; default: standard output")
    .option("--markdown", "the Markdown records in place of JSON lines")
    .option("--force", "overwrite a file that is not empty")
    .action(async (results: string, flags: SummarizeFlags) => {
      const { summarizeResults } = await import("./summarize-results.ts");
      await summarizeResults(results, flags);
    });
  return addSection(command, "Examples", [
    "# How long the cases took on average:",
    "#   harness summarize results.jsonl | jq -s 'map(.duration) | add / length'",
    "# For a judge:",
    "#   harness summarize results.jsonl --markdown -o results.md",
  ]);
}
