import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bytes,
  clockTime,
  compact,
  counted,
  dollars,
  duration,
  NOT_KNOWN,
  percent,
  percentRange,
  pointRange,
  points,
  probability,
  share,
  whole,
} from "../../../src/pure/base/amounts.ts";
import { parseDuration } from "../../../src/pure/base/duration.ts";

const LONGEST_MS = 1_000_000_000;
const milliseconds = fc.oneof(
  fc.integer({ min: 0, max: LONGEST_MS }),
  fc.double({ min: 0, max: LONGEST_MS, noNaN: true }),
  // Around every boundary between two units.
  fc
    .tuple(fc.constantFrom(1000, 10_000, 59_900, 60_000, 119_700, 120_000, 3_600_000, 7_200_000), fc.integer({ min: -60, max: 60 }))
    .map(([border, off]) => border + off),
);
const counts = fc.oneof(
  fc.integer({ min: 0, max: 20_000 }),
  fc.integer({ min: 0, max: 1e13 }),
  fc.tuple(fc.constantFrom(1e3, 1e4, 1e5, 1e6, 1e9), fc.integer({ min: -60, max: 60 })).map(([border, off]) => border + off),
);
const costs = fc.oneof(fc.double({ min: 0, max: 2, noNaN: true }), fc.double({ min: 0, max: 1e6, noNaN: true }));

/** Reads a text back; its unit is the most that may have been truncated. */
const UNITS = { "": 1, k: 1e3, M: 1e6, G: 1e9 } as const;
const numberOf = (text: string, suffix = ""): number => {
  const [, amount = "", unit = ""] = new RegExp(`^([\\d,]+(?:\\.\\d)?) ?([kMG]?)${suffix}$`).exec(text) ?? [];
  expect(amount, text).not.toBe("");
  return Number(amount.replaceAll(",", "")) * UNITS[unit as keyof typeof UNITS];
};
const msOf = (text: string): number => parseDuration(text.replaceAll(" ", "")) ?? Number.NaN;
const clockMs = (text: string): number =>
  text.endsWith("s") ? Number(text.slice(0, -1)) * 1000 : text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0) * 1000;
const dollarsOf = (text: string): number => (text === "< $0.0001" ? 0.00005 : Number(text.replace(/^\$/, "")));
const percentOf = (text: string): number => Number(text.replace("< 0.1", "0.05").replace("> 99.9", "99.95").replace(" %", ""));

function grows(values: fc.Arbitrary<number>, shown: (value: number) => string, read: (text: string) => number): void {
  fc.assert(
    fc.property(values, values, (a, b) => {
      const [less, more] = a < b ? [a, b] : [b, a];
      expect(read(shown(less))).toBeLessThanOrEqual(read(shown(more)));
    }),
  );
}

describe("amounts", () => {
  test.each<[ms: number, long: string, short: string, clock: string]>([
    [0, "0 ms", "0 s", "0.0s"],
    [999.9, "999 ms", "0 s", "0.9s"],
    [1000, "1.0 s", "1 s", "1.0s"],
    [59_999, "59.9 s", "59 s", "59.9s"],
    [60_000, "1 m 00 s", "1 m 00 s", "1:00"],
    [119_700, "1 m 59 s", "1 m 59 s", "1:59"],
    [3_599_999, "59 m 59 s", "59 m 59 s", "59:59"],
    [3_725_000, "1 h 02 m", "1 h 02 m", "1:02:05"],
    [-5, "0 ms", "0 s", "0.0s"],
  ])("%d ms", (ms, long, short, clock) => {
    expect([duration(ms), duration(ms, 0), clockTime(ms)]).toEqual([long, short, clock]);
  });

  test("a duration reads back as at most the original, and less than a unit below it", () => {
    fc.assert(
      fc.property(milliseconds, (ms) => {
        const text = duration(ms);
        const unit = { ms: 1, s: text.includes("m ") ? 1000 : 100, m: 60_000 }[text.split(" ").at(-1) ?? ""] ?? Number.NaN;
        expect(ms - msOf(text)).toBeGreaterThanOrEqual(0);
        expect(ms - msOf(text)).toBeLessThan(unit);
        expect(ms - clockMs(clockTime(ms))).toBeLessThan(1000);
      }),
    );
  });

  test("no part of a duration reaches the next unit: never 60 s, never 60 m, never 1000 ms", () => {
    fc.assert(
      fc.property(milliseconds, (ms) => {
        const parts = [...`${duration(ms)} ${duration(ms, 0)}`.matchAll(/([\d.]+) (ms|m|s)/g)];
        for (const [, amount, unit] of parts) expect(Number(amount)).toBeLessThan(unit === "ms" ? 1000 : 60);
        const [, ...places] = `0:${clockTime(ms).replace("s", "")}`.split(":");
        for (const place of places.slice(places.length > 2 ? 1 : 0)) expect(Number(place)).toBeLessThan(60);
      }),
    );
  });

  test("a larger amount is never shown as a smaller one", () => {
    grows(milliseconds, duration, msOf);
    grows(milliseconds, (ms) => duration(ms, 0), msOf);
    grows(milliseconds, clockTime, clockMs);
    grows(counts, compact, numberOf);
    grows(counts, whole, numberOf);
    grows(counts, bytes, (text) => numberOf(text, "B"));
    grows(costs, dollars, dollarsOf);
    grows(fc.double({ min: 0, max: 1, noNaN: true }), percent, percentOf);
  });

  test.each<[count: number, short: string, all: string, size: string]>([
    [0, "0", "0", "0 B"],
    [999, "999", "999", "999 B"],
    [1000, "1,000", "1,000", "1 kB"],
    [9999, "9,999", "9,999", "9.9 kB"],
    [16_900, "16.9k", "16,900", "16.9 kB"],
    [150_000, "150k", "150,000", "150 kB"],
    [999_999, "999.9k", "999,999", "999.9 kB"],
    [1_234_567, "1.2M", "1,234,567", "1.2 MB"],
    [7_000_000_000_000, "7000G", "7,000,000,000,000", "7000 GB"],
  ])("the count %d", (count, short, all, size) => {
    expect([compact(count), whole(count), bytes(count)]).toEqual([short, all, size]);
  });

  test("below the last unit no amount reaches a thousand", () => {
    fc.assert(
      fc.property(fc.integer({ min: 10_000, max: 999_999_999_999 }), (count) => {
        expect(Number(/^[\d.]+/.exec(compact(count))?.[0])).toBeLessThan(1000);
        expect(numberOf(compact(count))).toBeLessThanOrEqual(count);
      }),
    );
  });

  test.each([
    [0, "$0"],
    [0.00009, "< $0.0001"],
    [0.0001, "$0.0001"],
    [0.0123, "$0.0123"],
    [0.99996, "$1.00"],
    [1.239, "$1.24"],
    [1234.5, "$1234.50"],
  ])("%d dollars", (amount, text) => expect(dollars(amount)).toBe(text));

  test.each([
    [0, "0.0 %"],
    [0.0001, "< 0.1 %"],
    [2 / 3, "66.7 %"],
    [0.9995, "> 99.9 %"],
    [0.99999, "> 99.9 %"],
    [1, "100.0 %"],
  ])("a rate of %d", (rate, text) => expect(percent(rate)).toBe(text));

  test("ranges, differences, probabilities, counted nouns", () => {
    expect(percentRange({ low: 0.412, high: 0.6667 })).toBe("41.2 … 66.7 %");
    expect([points(0.125), points(-0.125), points(0)]).toEqual(["+12.5 points", "−12.5 points", "+0.0 points"]);
    expect(pointRange({ low: -0.486, high: 0.021 })).toBe("−48.6 … +2.1 points");
    expect([probability(0.0004), probability(0.0416)]).toEqual(["< 0.001", "0.042"]);
    expect([share(1, 4), share(0, 0)]).toEqual(["25.0 %", NOT_KNOWN]);
    expect([counted(1, "entry", "entries"), counted(1200, "call")]).toEqual(["1 entry", "1,200 calls"]);
  });

  test("an unknown amount is a dash", () => {
    for (const shown of [duration, dollars, whole, compact, bytes, percent, percentRange, pointRange, points, probability])
      expect(shown(null)).toBe(NOT_KNOWN);
    expect(share(null, 3)).toBe(NOT_KNOWN);
  });
});
