import { statSync } from "node:fs";
import { basename } from "node:path";
import { isRunId } from "../../../host/recording/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import { summarize, summarizeAsMarkdown } from "../../../work/evaluate/index.ts";
import { withOutput } from "../../terminal/index.ts";

export interface SummarizeFlags {
  readonly output?: string;
  readonly markdown?: true;
  readonly force?: true;
}

/** `harness summarize`: reads line by line, so the file may be of any length. */
export async function summarizeResults(path: string, { output, markdown, force }: SummarizeFlags): Promise<void> {
  const isRun = path === "last" || isRunId(basename(path));
  if (isRun && statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
    throw new HarnessError("usage", `${path} is a run, not a file of results. Summarize it with: harness derive ${path} --view summary`);
  await withOutput(output, force === true, async (write) => {
    if (markdown) for (const page of summarizeAsMarkdown(path)) await write(page);
    else for (const summary of summarize(path)) await write(`${JSON.stringify(summary)}\n`);
  });
}
