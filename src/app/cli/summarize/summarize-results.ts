import { markdownOf } from "../../../pure/views/markdown/view.ts";
import { summaryOf } from "../../../pure/views/summary/view.ts";
import { capturesOf } from "../../../work/evaluate/results/captures-of.ts";
import { readResults } from "../../../work/evaluate/results/read-results.ts";
import { withOutput } from "../../terminal/with-output.ts";
import type { SummarizeFlags } from "./index.ts";

/** `harness summarize`: line by line, however long the file is. */
export async function summarizeResults(path: string, { output, markdown, force }: SummarizeFlags): Promise<void> {
  await withOutput(output, force === true, async (write) => {
    for (const { line } of readResults(path)) {
      for (const record of capturesOf(line)) await write(markdown ? `${markdownOf(record)}\n` : `${JSON.stringify(summaryOf(record))}\n`);
    }
  });
}
