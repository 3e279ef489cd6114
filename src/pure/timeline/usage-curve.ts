import { coverageNote, type LogRecord, totalTokens, usageSum } from "../events/index.ts";

/** What a run had used at one moment, as reported by the agent. */
export interface UsagePoint {
  /** Milliseconds after the first event. */
  readonly ms: number;
  /** The sum of all classes. */
  readonly tokens: number;
  readonly cost: number | null;
  /** Set if `tokens` or `cost` are those of a part of the run: which part. */
  readonly tokensPart?: string;
  readonly costPart?: string;
}

const MOST_POINTS = 2000;

/** The usage of a run over time, with at most `MOST_POINTS` points, however often it is reported. The last point is exact. */
export function usageCurve() {
  const sum = usageSum();
  let points: UsagePoint[] = [];
  let last: UsagePoint | undefined;
  let begin: number | undefined;
  let stride = 1; // keep one of this many points
  let seen = 0;

  function parts(): Pick<UsagePoint, "tokensPart" | "costPart"> {
    const { tokensPart, costPart } = sum;
    return { ...(tokensPart && { tokensPart: coverageNote(tokensPart) }), ...(costPart && { costPart: coverageNote(costPart) }) };
  }

  return {
    see(record: LogRecord): void {
      begin ??= record.at;
      sum.see(record);
      if (record.type === "run-end" && last !== undefined) {
        if (points.at(-1) === last) points.pop();
        last = { ...last, ...parts() };
      }
      if (record.type !== "usage") return;
      last = { ms: Math.max(0, record.at - begin), tokens: totalTokens(sum.tokens) ?? 0, cost: sum.costUsd, ...parts() };
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
