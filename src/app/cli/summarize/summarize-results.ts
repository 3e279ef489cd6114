import { markdownOf, summaryOf } from "../../../pure/views/index.ts";
import { capturesOf, readResults } from "../../../work/evaluate/index.ts";
import { withOutput } from "../../terminal/index.ts";

export interface SummarizeFlags {
  readonly output?: string;
  readonly markdown?: true;
  readonly force?: true;
}

/** `harness summarize`: line by line, however long the file is. */
export async function summarizeResults(path: string, { output, markdown, force }: SummarizeFlags): Promise<void> {
  await withOutput(output, force === true, async (write) => {
    for (const { line } of readResults(path)) {
      for (const record of capturesOf(line)) await write(markdown ? `${markdownOf(record)}\n` : `${JSON.stringify(summaryOf(record))}\n`);
    }
  });
}
