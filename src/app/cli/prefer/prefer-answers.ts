import { counted, HarnessError, printable } from "../../../pure/base/index.ts";
import { type PreferenceSummary, prefer, textPreferences } from "../../../work/evaluate/index.ts";
import { FAILED, say, setExitCode, writeAside } from "../../terminal/index.ts";
import { judgeOf, outputOf, withStopSignals } from "../evaluation/index.ts";

export interface PreferFlags {
  readonly rubric: string;
  readonly judge?: string;
  readonly judgeModel?: string;
  readonly judgeUrl?: string;
  readonly judgeTimeout?: number;
  readonly output?: string;
  readonly append?: true;
  readonly force?: true;
  readonly concurrency: number;
  readonly sample?: number;
  readonly seed: string;
}

export async function preferAnswers(paths: readonly string[], flags: PreferFlags): Promise<void> {
  const { rubric, concurrency, sample, seed, judgeTimeout: timeoutMs } = flags;
  const judge = await judgeOf(flags);
  if (judge === undefined) throw new HarnessError("usage", "Missing judge. Pass --judge <agent>, or --judge-url with --judge-model.");
  await withStopSignals(async (signal) => {
    const { summary } = await prefer(paths, { judge, rubric, timeoutMs, concurrency, sample, seed, signal, ...outputOf(flags) });
    writeAside(printable(textPreferences(summary, process.stderr.columns)));
    if (!signal.aborted) report(summary, flags.output);
  });
}

/** Failed pairs are never silent, and a call that judged nothing has failed. */
function report(summary: readonly PreferenceSummary[], output: string | undefined): void {
  const remedy = output === undefined ? "" : "; ask again with --append";
  for (const { a, b, pairs, nError, firstError } of summary) {
    if (pairs === 0) say(`nothing was judged between ${b} and ${a}: ${firstError ?? "there is no opinion"}${remedy}`);
    else if (nError > 0) say(`${b} and ${a}: ${nError} of ${counted(pairs + nError, "pair")} not judged: ${firstError ?? ""}${remedy}`);
  }
  if (summary.length === 0) say("nothing was judged: the answers are no longer in the results");
  if (summary.length === 0 || summary.some(({ pairs }) => pairs === 0)) setExitCode(FAILED);
}
