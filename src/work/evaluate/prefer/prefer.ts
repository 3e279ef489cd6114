import { dataOf } from "../../../host/recording/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import { sampleOf } from "../../../pure/statistics/index.ts";
import { type Judge, judgeOf, rubricIn } from "../graders/index.ts";
import { openResults, type ReadLine, type Replacement, type ResultOptions, readResults, replaceLines } from "../results/index.ts";
import { inParallel } from "../scheduling/index.ts";
import type { AgentEntry, EndpointSpec } from "../trial/index.ts";
import { configurationOf, type JudgingOptions, judgedPair, type PairToJudge, type PreferenceResult, pairsToJudge } from "./judged-pair.ts";
import { type Opinion, type PreferenceSummary, preferenceSummary } from "./preference-summary.ts";
import { readAnswers } from "./read-answers.ts";

export interface PreferOptions extends ResultOptions<PreferenceResult> {
  /** The judge: an agent, an OpenAI-compatible endpoint, or your own implementation. */
  readonly judge: AgentEntry | EndpointSpec | Judge;
  /** The file with the criteria. */
  readonly rubric: string;
  /** How long the judge may take for one answer, with all its attempts. Default: five minutes. */
  readonly timeoutMs?: number;
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

const TIMEOUT_MS = 5 * 60_000;

/** Asks a judge which of two answers is better, in both orders, for every trial that two sides share. */
export async function prefer(paths: readonly string[], options: PreferOptions): Promise<Preferences> {
  const { output, concurrency = 2, sample, seed = "1", timeoutMs = TIMEOUT_MS } = options;
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
    const common = { rubric, judge, data, signal, timeoutMs };
    if (out.path !== undefined && out.finished.length > 0)
      await repeatFailed(out.path, pairs, { ...common, isDone: () => false }, concurrency);
    out.begin();
    const done = new Set(out.finished.map(keyOf));
    if (typeof output === "string" && done.size > 0)
      for (const { line } of readResults(output)) opinions.push(line as unknown as PreferenceResult);
    await inParallel(pairs, concurrency, signal, async (pair) => {
      const line = await judgedPair(pair, { ...common, isDone: (key) => done.has(keyOf(key)) });
      if (line === undefined || signal.aborted) return;
      out.append(line);
      opinions.push(line);
    });
  } finally {
    await out.close();
  }
  return { results, summary: preferenceSummary(opinions) };
}

/** Asks again about the pairs in the file that have no opinion. Their lines are replaced when all have been asked. */
async function repeatFailed(path: string, pairs: readonly PairToJudge[], options: JudgingOptions, concurrency: number): Promise<void> {
  const byPlace = new Map(pairs.map((pair) => [placeOf({ ...pair, a: pair.labels[0], b: pair.labels[1] }), pair]));
  const failed: { readonly place: ReadLine; readonly before: PreferenceResult; readonly pair: PairToJudge }[] = [];
  for (const place of readResults(path)) {
    const before = place.line as unknown as PreferenceResult;
    const pair = byPlace.get(placeOf(before));
    if (before.error !== undefined && pair !== undefined) failed.push({ place, before, pair });
  }
  const replacements: Replacement[] = [];
  await inParallel(failed, concurrency, options.signal, async ({ place: { offset, length }, before, pair }) => {
    const by = await judgedPair(pair, options, before);
    if (by !== undefined && keyOf(by) === keyOf(before) && !options.signal.aborted) replacements.push({ offset, length, by });
  });
  replaceLines(path, replacements);
}

function placeOf({ id, trialNum, a, b }: Pick<PreferenceResult, "id" | "trialNum" | "a" | "b">): string {
  return JSON.stringify([id, trialNum, a, b]);
}

type Judged = Pick<PreferenceResult, "id" | "configuration" | "caseHash">;

function keyOf({ id, configuration, caseHash }: Judged): string {
  return JSON.stringify([id, configuration, caseHash]);
}
