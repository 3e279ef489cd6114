import type { DataDirectory } from "../../../host/recording/index.ts";
import { clipped, described, list, nullable, object, ordinal, type Static, text } from "../../../pure/base/index.ts";
import type { Judge } from "../graders/index.ts";
import { patchOfRun } from "../running/index.ts";
import { hashOf, sha256 } from "../trial/index.ts";
import { type Earlier, preference, preferenceOf } from "./judge-pairs.ts";
import { type Answer, type AnswerPlace, type AnswerSide, answerAt } from "./read-answers.ts";

/** A line of `prefer`: which of two answers to the same trial of the same case a judge prefers. */
export const preferenceResult = object({
  ...preference.fields,
  trialNum: ordinal,
  /** The names of the two sides. */
  a: text,
  b: text,
  judge: text,
  runs: described(list(nullable(text)), "The runs that gave the answers, a's first"),
  /** SHA-256 over the rubric, the judge, the sides and both answers, so that a different judgement never counts as this one. */
  configuration: sha256,
  caseHash: sha256,
});
export type PreferenceResult = Static<typeof preferenceResult>;

/** Two answers to be compared. */
export interface PairToJudge {
  readonly id: string;
  readonly trialNum: number;
  readonly a: AnswerPlace;
  readonly b: AnswerPlace;
  readonly labels: readonly [a: string, b: string];
}

/** The first side against each of the others, in real pairs: the same trial of the same case. */
export function pairsToJudge([first, ...others]: readonly AnswerSide[]): PairToJudge[] {
  if (first === undefined) return [];
  return others.flatMap((other) =>
    [...first.cases].flatMap(([id, places]) =>
      places.flatMap((a, index) => {
        const b = other.cases.get(id)?.[index];
        return b === undefined ? [] : [{ id, trialNum: index + 1, a, b, labels: [first.label, other.label] as const }];
      }),
    ),
  );
}

export interface JudgingOptions {
  readonly rubric: string;
  readonly judge: Judge;
  readonly data: DataDirectory;
  readonly signal: AbortSignal;
  /** The limit for one answer of the judge. */
  readonly timeoutMs: number;
  /** Whether this pair is already judged, by its hashes. */
  readonly isDone: (line: Pick<PreferenceResult, "id" | "configuration" | "caseHash">) => boolean;
}

/** Asks the judge about one pair, in both orders. Undefined if it is already judged or an answer is gone. */
export async function judgedPair(
  pair: PairToJudge,
  { data, isDone, ...options }: JudgingOptions,
  earlier?: Earlier,
): Promise<PreferenceResult | undefined> {
  const { id, trialNum, labels } = pair;
  const { rubric, judge } = options;
  const [a, b] = [answerAt(pair.a), answerAt(pair.b)];
  if (a === undefined || b === undefined) return undefined;
  const key = {
    id,
    configuration: configurationOf(rubric, judge, labels),
    caseHash: hashOf([id, trialNum, a.input, a.output, b.output, a.run, b.run]),
  };
  if (isDone(key)) return undefined;
  const texts = { id, input: a.input, a: textOf(a, data), b: textOf(b, data) };
  const preferred = await preferenceOf(texts, options, earlier);
  return { ...preferred, trialNum, a: labels[0], b: labels[1], judge: judge.name, runs: [a.run ?? null, b.run ?? null], ...key };
}

export function configurationOf(rubric: string, judge: Judge, labels: readonly [string, string]): string {
  return hashOf([rubric, judge.name, labels]);
}

/** No one reads a longer patch. */
const LONGEST_PATCH = 60_000;

/** The agent's answer, and its changes to the workspace if the run kept them. */
function textOf({ output, run }: Answer, data: DataDirectory): string {
  const patch = run === undefined ? "" : patchOfRun(data, run);
  return patch === "" ? output : `${output}\n\nWhat it changed, as a patch:\n\n${clipped(patch, LONGEST_PATCH)}`;
}
