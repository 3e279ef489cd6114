import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printable, printableJson } from "../../../src/pure/base/printable.ts";
import { clip, columnsOf, wrap } from "../../../src/pure/base/text.ts";
import { hostile } from "../../support/hostile.ts";

/** Characters that a terminal obeys or that cannot be seen. */
const HARMLESS = /^(?:[^\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|\n|\t|\uFE0E|\uFE0F|\p{Co}|\p{Cn})*$/u;

/** Text as an attacker writes it: any code unit, with dangerous ones over-represented. */
const attack = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      fc.constantFrom(...Object.values(hostile)),
    ),
  )
  .map((parts) => parts.join(""));

describe("printable", () => {
  test.each(Object.entries(hostile))("makes %s visible", (_, text) => {
    expect(printable(`a${text}b`)).toMatch(/^a.*\\(?:u\{|r).*b$/s);
    expect(printable(text)).toMatch(HARMLESS);
  });

  test.each([
    ["\r", "\\r"],
    ["\u001b[2J", "\\u{1b}[2J"],
    ["\u009b", "\\u{9b}"],
    ["\u202e", "\\u{202e}"],
    ["\u{e0041}", "\\u{e0041}"],
    ["\ud800", "\\u{d800}"],
  ])("%j → %s", (text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  test.each(["plain", "a\nb\tc", "Grüße, 世界, مرحبا", "👍 ⚠️ ✔︎ 🇩🇪", "e\u0301", "C:\\u{1b}"])("leaves %j alone", (text) => {
    expect(printable(text)).toBe(text);
  });

  test("passes only printable characters, newlines and tabs, for any input", () => {
    fc.assert(
      fc.property(attack, (text) => {
        expect(printable(text)).toMatch(HARMLESS);
        expect(printable(printable(text))).toBe(printable(text));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("printableJson", () => {
  test("is the same JSON, without hidden characters", () => {
    fc.assert(
      fc.property(attack, fc.jsonValue(), (text, value) => {
        const json = JSON.stringify({ [text]: [value, text] });
        expect(printableJson(json)).toMatch(HARMLESS);
        expect(JSON.parse(printableJson(json))).toEqual(JSON.parse(json));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("layout", () => {
  test("a clipped text is one safe line that fits", () => {
    fc.assert(
      fc.property(attack, fc.integer({ min: 2, max: 120 }), (text, room) => {
        const line = clip(text, room);
        expect(line).toMatch(HARMLESS);
        expect(line).not.toMatch(/[\n\t]/);
        expect(columnsOf(line)).toBeLessThanOrEqual(room);
      }),
      { numRuns: 1000 },
    );
  });

  test("wrapped lines are safe, fit, and lose only white space", () => {
    fc.assert(
      fc.property(attack, fc.integer({ min: 2, max: 120 }), (text, room) => {
        const lines = wrap(text, room);
        for (const line of lines) {
          expect(line).toMatch(HARMLESS);
          expect(line).not.toMatch(/[\n\t]/);
          expect(columnsOf(line)).toBeLessThanOrEqual(room);
        }
        expect(lines.join("").replace(/\s/gu, "")).toBe(printable(text).replace(/\s/gu, ""));
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    ["the quick brown fox", 9, ["the quick", "brown fox"]],
    ["a\n\n  indented", 20, ["a", "", "  indented"]],
    ["abcdefghij", 4, ["abcd", "efgh", "ij"]],
    ["世界世界", 5, ["世界", "世界"]],
    ["", 10, [""]],
  ])("wraps %j into %i columns", (text, room, lines) => {
    expect(wrap(text, room)).toEqual(lines);
  });

  test("a megabyte on one line takes linear time", () => {
    const started = performance.now();
    wrap("x".repeat(1_000_000), 80);
    clip("x".repeat(1_000_000), 80);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
