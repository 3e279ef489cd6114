import fc from "fast-check";
import { expect, test } from "vitest";
import { decode } from "../../../src/host/recording/derive/decode.ts";
import type { Agent } from "../../../src/pure/pipeline/agent.ts";
import { pipeline } from "../../../src/pure/pipeline/pipeline.ts";
import { views } from "../../../src/pure/views/views.ts";
import { EPOCH } from "../../support/fixtures.ts";

const echo: Agent = {
  id: "echo",
  title: "Echo",
  binaries: [],
  command: () => ({ args: [] }),
  open: () => ({ push: (raw) => [{ type: "unknown", raw }], end: () => [] }),
};

function rawOf(line: string): unknown {
  const all = pipeline(echo, views.log, { startedAt: EPOCH }, decode);
  const events = [...all.bytes("stdout", Buffer.from(`${line}\n`), EPOCH), ...all.end(EPOCH)];
  const [found] = events.filter(({ type }) => type === "unknown");
  return found !== undefined && "raw" in found ? found.raw : undefined;
}

/** The reference for the quick check of a line's beginning: a line is JSON if the parser accepts it. */
function expected(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line.replace(/\r$/, "");
  }
}

const blanks = fc.constantFrom("", " ", "\t", " \t ");
const words = fc.constantFrom(
  "true",
  "null",
  "nul",
  "-1",
  "-",
  "1e5",
  "1.5.2",
  "[1",
  "[INFO] x",
  "[]",
  '"a"',
  '"a',
  "{}",
  "{ }",
  "{",
  "the",
  "12:30",
);
const text = fc.oneof(
  fc.json(),
  words,
  fc.string({ unit: "grapheme" }).map((each) => each.replace(/[\n\uFEFF]/g, "")),
);

test("a line is JSON exactly if the parser accepts it, whatever surrounds it", () => {
  const lines = fc.tuple(blanks, text, blanks).map((parts) => parts.join(""));
  fc.assert(
    fc.property(
      lines.filter((line) => line.trim() !== ""),
      (line) => {
        expect(rawOf(line)).toEqual(expected(line));
      },
    ),
    { numRuns: 3000 },
  );
});
