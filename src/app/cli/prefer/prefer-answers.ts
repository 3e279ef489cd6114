import { dataDirectory } from "../../../host/recording/index.ts";
import { HarnessError, printable } from "../../../pure/base/index.ts";
import { sampleOf } from "../../../pure/statistics/index.ts";
import {
  configurationOf,
  judgedPair,
  type Opinion,
  type PreferenceLine,
  pairsToJudge,
  preferenceSummary,
  preferencesTable,
  readAnswers,
  readResults,
  rubricIn,
  textTable,
} from "../../../work/evaluate/index.ts";
import { judgeOf, resultsOf, withScratch } from "../evaluation/index.ts";

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

/** `harness prefer` */
export async function preferAnswers(paths: readonly string[], flags: PreferFlags): Promise<void> {
  const judge = await judgeOf(flags);
  if (judge === undefined) throw new HarnessError("usage", "Say who judges: --judge <agent>, or --judge-url with --judge-model.");
  const rubric = rubricIn(flags.rubric);
  const sides = readAnswers(paths);
  const pairs = sampleOf(pairsToJudge(sides), flags.sample, flags.seed);
  if (pairs.length === 0)
    throw new HarnessError("input", `There is nothing to compare: ${paths.join(", ")} hold no trial of a case that two sides have.`);
  const opinions: Opinion[] = [];
  await withScratch("prefer", async (_, stop) => {
    const out = await resultsOf(flags, stop, "harness prefer");
    try {
      const expected = new Set(pairs.map(({ labels }) => configurationOf(rubric, judge, labels)));
      if (out.finished.some(({ configuration }) => !expected.has(configuration)))
        throw new HarnessError("usage", `${flags.output} was judged by another rubric or judge, or of other sides; choose another -o.`);
      out.begin();
      const done = new Set(out.finished.map(keyOf));
      if (flags.output !== undefined && done.size > 0)
        for (const { line } of readResults(flags.output)) opinions.push(line as unknown as PreferenceLine);
      const { signal } = stop;
      const options = { rubric, judge, data: dataDirectory(process.env), signal, isDone: (key: Judged) => done.has(keyOf(key)) };
      const waiting = pairs.values();
      const work = async () => {
        for (const pair of waiting) {
          if (signal.aborted) return;
          const line = await judgedPair(pair, options);
          if (line === undefined || signal.aborted) continue;
          out.append(line);
          opinions.push(line);
        }
      };
      await Promise.all(Array.from({ length: flags.concurrency }, work));
    } finally {
      await out.close();
    }
  });
  process.stderr.write(printable(textTable(preferencesTable(preferenceSummary(opinions)), process.stderr.columns)));
}

type Judged = Pick<PreferenceLine, "id" | "configuration" | "caseHash">;

function keyOf({ id, configuration, caseHash }: Judged): string {
  return JSON.stringify([id, configuration, caseHash]);
}
