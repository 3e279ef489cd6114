import { dataOf } from "../../../host/recording/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import { sampleOf } from "../../../pure/statistics/index.ts";
import { type Judge, judgeOf, rubricIn } from "../graders/index.ts";
import { openResults, type ResultOptions, readResults } from "../results/index.ts";
import type { AgentEntry, EndpointSpec } from "../trial/index.ts";
import { configurationOf, judgedPair, type PreferenceResult, pairsToJudge } from "./judged-pair.ts";
import { type Opinion, type PreferenceSummary, preferenceSummary } from "./preference-summary.ts";
import { readAnswers } from "./read-answers.ts";

export interface PreferOptions extends ResultOptions<PreferenceResult> {
  /** The judge: an agent, an OpenAI-compatible endpoint, or your own implementation. */
  readonly judge: AgentEntry | EndpointSpec | Judge;
  /** The file with the criteria. */
  readonly rubric: string;
  /** How many pairs in parallel. Default: 2. */
  readonly concurrency?: number;
  /** Judge only this many pairs, chosen by the seed. */
  readonly sample?: number;
  /** Default: "1". */
  readonly seed?: number | string;
  /** The data directory with the runs. Default: `$XDG_DATA_HOME/harness`. */
  readonly dataDirectory?: string;
}

export interface Preferences {
  /** The judgements of this call; empty if `output` was given. */
  readonly results: readonly PreferenceResult[];
  /** The totals over all preferences, including those already in the file. */
  readonly summary: readonly PreferenceSummary[];
}

/** Asks a judge which of two answers is better, in both orders, for every trial that two sides share. */
export async function prefer(paths: readonly string[], options: PreferOptions): Promise<Preferences> {
  const { output, concurrency = 2, sample, seed = "1" } = options;
  const judge = await judgeOf(options.judge, options.dataDirectory);
  const rubric = rubricIn(options.rubric);
  const pairs = sampleOf(pairsToJudge(readAnswers(paths)), sample, seed);
  if (pairs.length === 0)
    throw new HarnessError("input", `Nothing to compare: no two sides in ${paths.join(", ")} share a trial of a case.`);
  const data = dataOf(options);
  const { out, results, signal } = await openResults(options, data, "prefer");
  const opinions: Opinion[] = [];
  try {
    const expected = new Set(pairs.map(({ labels }) => configurationOf(rubric, judge, labels)));
    if (out.finished.some(({ configuration }) => !expected.has(configuration)))
      throw new HarnessError("usage", `${output} holds judgements with a different rubric, a different judge or different sides.`, {
        option: "output",
      });
    out.begin();
    const done = new Set(out.finished.map(keyOf));
    if (typeof output === "string" && done.size > 0)
      for (const { line } of readResults(output)) opinions.push(line as unknown as PreferenceResult);
    const isDone = (key: Judged) => done.has(keyOf(key));
    const waiting = pairs.values();
    const work = async () => {
      for (const pair of waiting) {
        if (signal.aborted) return;
        const line = await judgedPair(pair, { rubric, judge, data, signal, isDone });
        if (line === undefined || signal.aborted) continue;
        out.append(line);
        opinions.push(line);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
  } finally {
    await out.close();
  }
  return { results, summary: preferenceSummary(opinions) };
}

type Judged = Pick<PreferenceResult, "id" | "configuration" | "caseHash">;

function keyOf({ id, configuration, caseHash }: Judged): string {
  return JSON.stringify([id, configuration, caseHash]);
}
