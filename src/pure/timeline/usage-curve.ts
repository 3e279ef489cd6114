import { type LogRecord, totalTokens, usageSum } from "../events/index.ts";

/** What a run had used at a moment, as its agent told. */
export interface UsagePoint {
  /** After the first event. */
  readonly ms: number;
  /** Of all classes. */
  readonly tokens: number;
  readonly cost: number | null;
}

/** More are not drawn. */
const MOST_POINTS = 2000;

/** The use of a run as it adds up: no more points than a drawing shows, however often it is told, and the last of them exact. */
export function usageCurve() {
  const sum = usageSum();
  let points: UsagePoint[] = [];
  let last: UsagePoint | undefined;
  let begin: number | undefined;
  let stride = 1; // of so many, one is kept
  let seen = 0;

  return {
    see(record: LogRecord): void {
      begin ??= record.at;
      if (record.type !== "usage") return;
      sum.add(record);
      last = { ms: Math.max(0, record.at - begin), tokens: totalTokens(sum.tokens) ?? 0, cost: sum.costUsd };
      if (seen++ % stride !== 0) return;
      points.push(last);
      if (points.length < MOST_POINTS) return;
      points = points.filter((_, i) => i % 2 === 0);
      stride *= 2;
    },
    points(): readonly UsagePoint[] {
      return last === undefined || points.at(-1) === last ? [...points] : [...points, last];
    },
  };
}
