import { noTokens, sumUsed, type Used } from "../../../pure/events/index.ts";
import { holm, signFlipTest } from "../../../pure/statistics/index.ts";
import { usedBy } from "../trial/index.ts";
import type { PreferenceResult } from "./judged-pair.ts";

/** The totals for one pair of sides. */
export interface PreferenceSummary {
  readonly a: string;
  readonly b: string;
  readonly cases: number;
  readonly pairs: number;
  /** Pairs in which b, a, or neither was preferred. */
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
  /** Ties in which the judge preferred a position, not an answer. */
  readonly inconsistent: number;
  /** Pairs without an opinion from the judge. */
  readonly nError: number;
  /** The exact test over whole cases: all signs of the cases' differences. Null if nothing was judged. */
  readonly p: number | null;
  /** After Holm's correction over all pairs of sides. */
  readonly pAdjusted: number | null;
  readonly verdict: "better" | "worse" | "no difference shown" | "nothing judged";
  /** What the judge used and cost, including for pairs without an opinion. */
  readonly judging: Used;
  /** The first reason for a pair without an opinion. */
  readonly firstError?: string;
}

/** The fields of a line that are counted. */
export type Opinion = Pick<PreferenceResult, "id" | "a" | "b" | "preferred" | "isConsistent" | "error" | "judging">;

/** Of a line by an earlier version. */
const UNKNOWN: Used = { usage: noTokens, costUsd: null };

export function preferenceSummary(lines: readonly Opinion[]): PreferenceSummary[] {
  const byPair = new Map<string, Opinion[]>();
  for (const line of lines) {
    const key = JSON.stringify([line.a, line.b]);
    const of = byPair.get(key) ?? [];
    byPair.set(key, of);
    of.push(line);
  }
  const sums = [...byPair.values()].map(summed);
  const known = sums.filter(({ p }) => p !== null);
  const adjusted = new Map(holm(known.map(({ p }) => p ?? 1)).map((p, index) => [known[index], p]));
  return sums.map((sum) => judged(sum, adjusted.get(sum) ?? null));
}

function judged(sum: Omit<PreferenceSummary, "pAdjusted" | "verdict">, pAdjusted: number | null): PreferenceSummary {
  if (pAdjusted === null) return { ...sum, pAdjusted, verdict: "nothing judged" };
  const isShown = pAdjusted <= 0.05 + 1e-12;
  return { ...sum, pAdjusted, verdict: isShown ? (sum.wins > sum.losses ? "better" : "worse") : "no difference shown" };
}

function summed(all: readonly Opinion[]): Omit<PreferenceSummary, "pAdjusted" | "verdict"> {
  const opinions = all.filter(({ error }) => error === undefined);
  const count = (side: Opinion["preferred"]) => opinions.filter(({ preferred }) => preferred === side).length;
  const byCase = new Map<string, number>();
  for (const { id, preferred } of opinions) byCase.set(id, (byCase.get(id) ?? 0) + (preferred === "b" ? 1 : preferred === "a" ? -1 : 0));
  const firstError = all.find(({ error }) => error !== undefined)?.error;
  const [{ a, b } = { a: "", b: "" }] = all;
  return {
    a,
    b,
    cases: byCase.size,
    pairs: opinions.length,
    wins: count("b"),
    losses: count("a"),
    ties: count("neither"),
    inconsistent: opinions.filter(({ isConsistent }) => !isConsistent).length,
    nError: all.length - opinions.length,
    p: opinions.length === 0 ? null : signFlipTest([...byCase.values()]),
    judging: sumUsed(all.flatMap(({ judging }) => (judging === undefined ? [UNKNOWN] : usedBy(judging)))),
    ...(firstError === undefined ? {} : { firstError }),
  };
}
