import { markdownOf, type Summary, summaryOf } from "../../pure/views/index.ts";
import { capturesOf, readResults } from "./results/index.ts";

/** A compact record of every trial in a results file, one at a time, for files of any length. */
export function* summarize(results: string): Generator<Summary, void> {
  for (const { line } of readResults(results)) yield* capturesOf(line).map(summaryOf);
}

/** The same as Markdown, for a reader or a judge model. */
export function* summarizeAsMarkdown(results: string): Generator<string, void> {
  for (const { line } of readResults(results)) for (const record of capturesOf(line)) yield `${markdownOf(record)}\n`;
}
