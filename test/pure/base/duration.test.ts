import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LONGEST_DURATION_MS, parseDuration } from "../../../src/pure/base/duration.ts";

describe("parseDuration", () => {
  test.each([
    ["10m", 600_000],
    ["90s", 90_000],
    ["500ms", 500],
    ["1h30m", 5_400_000],
    ["1h2m3s4ms", 3_723_004],
    ["1.5h", 5_400_000],
    ["0.5s", 500],
    ["90", 90_000],
    ["0.25", 250],
    ["0", 0],
    ["0s", 0],
    ["0h0m", 0],
    ["0.0001ms", 1],
    ["596h", 2_145_600_000],
  ])("%j is %d ms", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.each([
    "",
    " ",
    "10 m",
    " 10m",
    "10m ",
    "-1",
    "-5m",
    "+5m",
    "5M",
    "5min",
    "m",
    "h30m",
    "30m1h",
    "5m5m",
    "1e3",
    "1e3s",
    "0x10",
    ".5s",
    "5.s",
    "Infinity",
    "NaN",
    "597h",
    "2147484",
    "9".repeat(400),
    `${"0".repeat(50)}5s`,
    "5s\n",
    "５s",
  ])("%j is not a duration", (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  test("hours, minutes, seconds and milliseconds add up, and a timer can hold the sum", () => {
    const amount = fc.nat(5000);
    fc.assert(
      fc.property(amount, amount, amount, amount, (h, m, s, ms) => {
        const total = h * 3_600_000 + m * 60_000 + s * 1000 + ms;
        expect(parseDuration(`${h}h${m}m${s}s${ms}ms`)).toBe(total <= LONGEST_DURATION_MS ? total : undefined);
      }),
    );
  });

  test("any text is a whole number of milliseconds from 0 to the longest, or not a duration", () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^[0-9.hms ]*$/));
    fc.assert(
      fc.property(text, (input) => {
        const ms = parseDuration(input);
        if (ms !== undefined) expect(Number.isInteger(ms) && ms >= 0 && ms <= LONGEST_DURATION_MS).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
