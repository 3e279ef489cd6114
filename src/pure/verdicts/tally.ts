import { count, object, percent, type Static, whole } from "../base/index.ts";
import { isCounted, type OutOfTime, type TrialClass, trialClasses } from "./trial-class.ts";

/** How many trials ended in each class. */
export const classCounts = object({
  passed: count,
  failed: count,
  out_of_time: count,
  not_started: count,
  lost_to_provider: count,
  lost_to_us: count,
  ungraded: count,
});
export type ClassCounts = Static<typeof classCounts>;

export type Tally = { -readonly [Class in TrialClass]: number };

export function emptyTally(): Tally {
  return { passed: 0, failed: 0, out_of_time: 0, not_started: 0, lost_to_provider: 0, lost_to_us: 0, ungraded: 0 };
}

export function tallyOf(classes: Iterable<TrialClass>): Tally {
  const tally = emptyTally();
  for (const each of classes) tally[each]++;
  return tally;
}

/** The number of trials that a rate is over. */
export function countedIn(counts: ClassCounts, late?: OutOfTime): number {
  return trialClasses.reduce((sum, each) => sum + (isCounted(each, late) ? counts[each] : 0), 0);
}

/** Passed trials of those that count; null if none counts. */
export function passRateOf(counts: ClassCounts, late?: OutOfTime): number | null {
  const counted = countedIn(counts, late);
  return counted === 0 ? null : counts.passed / counted;
}

/** Each class as text for people. */
export const classWords: Readonly<Record<TrialClass, string>> = {
  passed: "passed",
  failed: "failed",
  out_of_time: "out of time",
  not_started: "not started",
  lost_to_provider: "lost to the provider",
  lost_to_us: "lost to us",
  ungraded: "ungraded",
};

/** “2 passed, 4 out of time”: every class that occurs. */
export function tallyText(counts: ClassCounts): string {
  return trialClasses.flatMap((each) => (counts[each] === 0 ? [] : [`${counts[each]} ${classWords[each]}`])).join(", ");
}

/** The classes that a table shows: passed and failed, and every other one that occurs. */
export function classesIn(counts: readonly ClassCounts[]): readonly TrialClass[] {
  return trialClasses.filter((each) => each === "passed" || each === "failed" || counts.some((count) => count[each] > 0));
}

/** A rate says what it is a rate of: “67.6 % of 37”. */
export function rateText(rate: number | null, counted: number): string {
  return rate === null ? percent(rate) : `${percent(rate)} of ${whole(counted)}`;
}
