import fc from "fast-check";
import { expect, test } from "vitest";
import {
  applyHunks,
  type Hunk,
  linesOf,
  parsePatch,
  readText,
  replacePassage,
  textBytes,
} from "../../../../src/work/native/edits/index.ts";

const RUNS = { numRuns: 3000 };

/** Few different lines, so that passages repeat. */
const line = fc.constantFrom("a", "b", "", "  a", "{", "c");
const some = fc.array(line, { maxLength: 8 });
const hunkLine = fc.record({ sign: fc.constantFrom(" " as const, "-" as const, "+" as const), text: line });
const hunks: fc.Arbitrary<Hunk[]> = fc.array(
  fc.record({ anchors: fc.constant([]), lines: fc.array(hunkLine, { minLength: 1, maxLength: 4 }), isAtEnd: fc.boolean() }),
  { minLength: 1, maxLength: 3 },
);

const oldOf = ({ lines }: Hunk) => lines.filter(({ sign }) => sign !== "+").map(({ text }) => text);

/** The reference: tries every way to place the hunks in order. It knows only exact matches. */
function everyWay(lines: readonly string[], parts: readonly Hunk[], from = 0): string[][] {
  const [hunk, ...rest] = parts;
  if (hunk === undefined) return [lines.slice(from)];
  const old = oldOf(hunk);
  const results: string[][] = [];
  for (let at = from; at + old.length <= lines.length; at++) {
    const isThere = old.length === 0 ? at === lines.length : old.every((text, index) => lines[at + index] === text);
    if (!isThere || (hunk.isAtEnd && at + old.length !== lines.length)) continue;
    const added = hunk.lines.filter(({ sign }) => sign !== "-").map(({ text }) => text);
    for (const tail of everyWay(lines, rest, at + old.length)) results.push([...lines.slice(from, at), ...added, ...tail]);
  }
  return results;
}

const joined = (lines: readonly { text: string; end: string }[]) => lines.map(({ text, end }) => text + end).join("");
const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work();
  } catch {
    return undefined;
  }
};

test("hunks are applied as the reference does if there is one way, and rejected if there are several", () => {
  let [one, many] = [0, 0];
  fc.assert(
    fc.property(some, hunks, (lines, parts) => {
      const ways = everyWay(lines, parts);
      const text = lines.map((each) => `${each}\n`).join("");
      const result = attempt(() => joined(applyHunks(linesOf(text), parts, "f").lines));
      if (ways.length === 1) one++;
      if (ways.length === 1) expect(result).toBe(ways[0]?.map((each) => `${each}\n`).join(""));
      if (ways.length > 1) many++;
      if (ways.length > 1) expect(result).toBeUndefined();
    }),
    RUNS,
  );
  expect(Math.min(one, many)).toBeGreaterThan(20); // the property looked at both
});

test("CRLF, a missing final newline, a mark and Latin-1 survive every patch", () => {
  fc.assert(
    fc.property(some, hunks, fc.boolean(), fc.boolean(), (lines, parts, isWindows, hasFinal) => {
      fc.pre(lines.length > (hasFinal ? 0 : 1) && lines.at(-1) !== ""); // at least one line shows how lines end
      const end = isWindows ? "\r\n" : "\n";
      const text = lines.join(end) + (hasFinal ? end : "");
      const plain = attempt(() => applyHunks(linesOf(`${lines.join("\n")}\n`), parts, "f").lines);
      const result = attempt(() => joined(applyHunks(linesOf(text), parts, "f").lines));
      expect(result === undefined).toBe(plain === undefined);
      if (plain === undefined || result === undefined || plain.length === 0) return;
      expect(result).toBe(plain.map((each) => each.text).join(end) + (hasFinal ? end : ""));
    }),
    RUNS,
  );
  for (const bytes of [
    Buffer.from("\uFEFFé\r\nb"),
    Buffer.of(0xe9, 0x0a),
    Buffer.from("\uFEFFé\n", "utf16le"),
    Buffer.from("\uFEFFé\n", "utf16le").swap16(),
  ])
    expect(textBytes(readText(bytes, "f"), "f")).toEqual(bytes);
  expect(() => textBytes({ ...readText(Buffer.of(0xe9), "f"), lines: [{ text: "€", end: "" }] }, "f")).toThrow(
    "Latin-1, which has no character €",
  );
});

test("a passage is replaced as `split` and `join` do, whatever the line ends", () => {
  const text = fc.array(line, { maxLength: 6 }).map((lines) => lines.join("\n"));
  const short = fc.array(fc.constantFrom("a", "b", "\n", "{", " "), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(""));
  let replaced = 0;
  fc.assert(
    fc.property(text, short, text, fc.boolean(), fc.boolean(), (whole, before, after, isAll, isWindows) => {
      fc.pre(before !== after);
      const places = whole.split("").flatMap((_, at) => (whole.startsWith(before, at) ? [at] : []));
      fc.pre(places.length > 0);
      const given = isWindows ? whole.replaceAll("\n", "\r\n") : whole;
      const result = attempt(() => joined(replacePassage(linesOf(given), { before, after, isAll }, "f").lines));
      if (places.length > 1 && !isAll) {
        expect(result).toBeUndefined();
        return;
      }
      replaced++;
      const wanted = whole.split(before).join(after);
      expect(result).toBe(isWindows && given.includes("\r\n") ? wanted.replaceAll("\n", "\r\n") : wanted);
    }),
    RUNS,
  );
  expect(replaced).toBeGreaterThan(100);
});

test("mixed line ends: every line that is not replaced keeps its own", () => {
  const lines = linesOf("a\r\nb\nc\r\nd\n");
  expect(joined(replacePassage(lines, { before: "b\nc", after: "B\nx\nC", isAll: false }, "f").lines)).toBe("a\r\nB\nx\r\nC\r\nd\n");
  const [part] = parsePatch("*** Begin Patch\n*** Update File: f\n b\n-c\n+C\n*** End Patch");
  expect(joined(applyHunks(lines, part?.kind === "update" ? part.hunks : [], "f").lines)).toBe("a\r\nb\nC\r\nd\n");
});

test("nothing that a model writes makes the parser or the edits fail in any way but a short sentence", () => {
  const noise = fc.array(
    fc.constantFrom(
      "*** Begin Patch",
      "*** End Patch",
      "*** Update File: f",
      "*** Add File: g",
      "*** Delete File: f",
      "*** Move to: g",
      "*** End of File",
      "@@",
      "@@ a",
      "@@ -1,2 +1,2 @@ a",
      "-a",
      "+b",
      " a",
      "",
      "a",
      "```",
      "apply_patch <<'EOF'",
      "EOF",
      "--- a/f",
      "+++ b/f",
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(noise, some, (patch, lines) => {
      try {
        for (const part of parsePatch(patch.join("\n"))) if (part.kind === "update") applyHunks(linesOf(lines.join("\n")), part.hunks, "f");
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
        expect((error as Error).message).toMatch(/^.{10,1500}\.$/s);
        expect(error).not.toBeInstanceOf(TypeError);
      }
    }),
    RUNS,
  );
});
