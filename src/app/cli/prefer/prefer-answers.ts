import { dataDirectory } from "../../../host/recording/format/data-directory.ts";
import { HarnessError } from "../../../pure/base/errors.ts";
import { sampleOf } from "../../../pure/statistics/sample.ts";
import { configurationOf, judgedPair, type PreferenceLine, pairsToJudge } from "../../../work/evaluate/compare/prefer.ts";
import { type Opinion, preferenceSummary } from "../../../work/evaluate/compare/preference-summary.ts";
import { readAnswers } from "../../../work/evaluate/compare/read-answers.ts";
import { rubricIn } from "../../../work/evaluate/graders/llm-grader.ts";
import { preferencesTable } from "../../../work/evaluate/reports/tables.ts";
import { textTable } from "../../../work/evaluate/reports/text-table.ts";
import { readResults } from "../../../work/evaluate/results/read-results.ts";
import { printable } from "../../terminal/printable.ts";
import { judgeOf } from "../evaluation/grader-of.ts";
import { resultsOf } from "../evaluation/results-of.ts";
import { withScratch } from "../evaluation/with-scratch.ts";
import type { PreferFlags } from "./index.ts";

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
