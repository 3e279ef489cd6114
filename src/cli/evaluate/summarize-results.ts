import { capturesOf } from "../../eval/results/captures-of.ts";
import { readResults } from "../../eval/results/read-results.ts";
import { markdownOf } from "../../views/markdown.ts";
import { summaryOf } from "../../views/summary.ts";
import type { SummarizeFlags } from "../commands/summarize.ts";
import { withOutput } from "../with-output.ts";

/** `harness summarize`: line by line, however long the file is. */
export async function summarizeResults(path: string, { output, markdown, force }: SummarizeFlags): Promise<void> {
  await withOutput(output, force === true, async (write) => {
    for (const { line } of readResults(path)) {
      for (const record of capturesOf(line)) await write(markdown ? `${markdownOf(record)}\n` : `${JSON.stringify(summaryOf(record))}\n`);
    }
  });
}
