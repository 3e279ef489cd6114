import { expect, test } from "vitest";
import type { LogRecord } from "../../../src/pure/events/index.ts";
import { noTokens } from "../../../src/pure/events/tokens.ts";
import { usageCurve } from "../../../src/pure/timeline/usage-curve.ts";

function usage(seq: number, output: number, more: object = {}): LogRecord {
  return { seq, at: 1000 + seq, from: [], provenance: "declared", type: "usage", scope: "step", tokens: { ...noTokens, output }, ...more };
}

test("however often usage is reported, there are few points, in order, and the last is exact", () => {
  const curve = usageCurve();
  for (let seq = 0; seq < 100_001; seq++) curve.see(usage(seq, 2, { costUsd: 0.5 }));
  const points = curve.points();
  expect(points.length).toBeGreaterThan(500);
  expect(points.length).toBeLessThanOrEqual(2000);
  expect(points.at(-1)).toEqual({ ms: 100_000, tokens: 200_002, cost: 50_000.5 });
  expect(points.every(({ ms }, i) => i === 0 || ms > (points[i - 1]?.ms ?? 0))).toBe(true);
});

test("a total replaces earlier usage; without reported tokens there is no point; an unknown cost is not zero", () => {
  const curve = usageCurve();
  expect(curve.points()).toEqual([]);
  curve.see(usage(0, 5));
  curve.see(usage(7, 3, { scope: "total" }));
  curve.see({ ...usage(9, 0), type: "warning", message: "x" } as unknown as LogRecord);
  expect(curve.points()).toEqual([
    { ms: 0, tokens: 5, cost: null },
    { ms: 7, tokens: 3, cost: null },
  ]);
});
