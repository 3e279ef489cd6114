import { HarnessError, printable } from "../../../pure/base/index.ts";
import { prefer, textPreferences } from "../../../work/evaluate/index.ts";
import { judgeOf, outputOf, withStopSignals } from "../evaluation/index.ts";

export interface PreferFlags {
  readonly rubric: string;
  readonly judge?: string;
  readonly judgeModel?: string;
  readonly judgeUrl?: string;
  readonly output?: string;
  readonly append?: true;
  readonly force?: true;
  readonly concurrency: number;
  readonly sample?: number;
  readonly seed: string;
}

export async function preferAnswers(paths: readonly string[], flags: PreferFlags): Promise<void> {
  const { rubric, concurrency, sample, seed } = flags;
  const judge = await judgeOf(flags);
  if (judge === undefined) throw new HarnessError("usage", "Missing judge. Pass --judge <agent>, or --judge-url with --judge-model.");
  await withStopSignals(async (signal) => {
    const { summary } = await prefer(paths, { judge, rubric, concurrency, sample, seed, signal, ...outputOf(flags) });
    process.stderr.write(printable(textPreferences(summary, process.stderr.columns)));
  });
}
