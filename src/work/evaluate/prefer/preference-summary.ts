import { holm, signFlipTest } from "../../../pure/statistics/index.ts";
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
  /** The exact test over whole cases: all signs of the cases' differences. */
  readonly p: number;
  /** After Holm's correction over all pairs of sides. */
  readonly pAdjusted: number;
  readonly verdict: "better" | "worse" | "no difference shown";
}

/** The fields of a line that are counted. */
export type Opinion = Pick<PreferenceResult, "id" | "a" | "b" | "preferred" | "isConsistent" | "error">;

export function preferenceSummary(lines: readonly Opinion[]): PreferenceSummary[] {
  const byPair = new Map<string, Opinion[]>();
  for (const line of lines) {
    const key = JSON.stringify([line.a, line.b]);
    const of = byPair.get(key) ?? [];
    byPair.set(key, of);
    of.push(line);
  }
  const sums = [...byPair.values()].map(summed);
  const adjusted = holm(sums.map(({ p }) => p));
  return sums.map((sum, index) => judged(sum, adjusted[index] ?? sum.p));
}

function judged(sum: Omit<PreferenceSummary, "pAdjusted" | "verdict">, pAdjusted: number): PreferenceSummary {
  const isShown = pAdjusted <= 0.05 + 1e-12;
  return { ...sum, pAdjusted, verdict: isShown ? (sum.wins > sum.losses ? "better" : "worse") : "no difference shown" };
}

function summed(all: readonly Opinion[]): Omit<PreferenceSummary, "pAdjusted" | "verdict"> {
  const opinions = all.filter(({ error }) => error === undefined);
  const count = (side: Opinion["preferred"]) => opinions.filter(({ preferred }) => preferred === side).length;
  const byCase = new Map<string, number>();
  for (const { id, preferred } of opinions) byCase.set(id, (byCase.get(id) ?? 0) + (preferred === "b" ? 1 : preferred === "a" ? -1 : 0));
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
    p: signFlipTest([...byCase.values()]),
  };
}
