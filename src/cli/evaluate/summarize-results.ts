import { capturesOf } from "../../eval/results/captures-of.ts";
import { readResults } from "../../eval/results/read-results.ts";
import { markdownOf } from "../../views/markdown.ts";
import { summaryOf } from "../../views/summary.ts";
import type { SummarizeFlags } from "../commands/summarize.ts";
import { outputFile } from "./output-file.ts";

/** `harness summarize`: line by line, however long the file is. */
export async function summarizeResults(path: string, { output, markdown, force }: SummarizeFlags): Promise<void> {
  const out = outputFile(output, force === true);
  for (const { line } of readResults(path)) {
    for (const record of capturesOf(line)) await out.write(markdown ? `${markdownOf(record)}\n` : `${JSON.stringify(summaryOf(record))}\n`);
  }
  await out.close();
}
