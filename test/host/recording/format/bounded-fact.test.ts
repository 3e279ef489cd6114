import { describe, expect, test } from "vitest";
import { boundedFact, isTooLong } from "../../../../src/host/recording/format/bounded-fact.ts";
import { LONGEST_FACT } from "../../../../src/host/recording/format/record-lines.ts";
import { storedRecordOf } from "../../../../src/host/recording/format/stored-record.ts";
import { recorded } from "../../../../src/host/sink/index.ts";
import type { FactBody } from "../../../../src/pure/events/index.ts";

/** S1: a fact that no reader would take is shortened before it is written. */

const observation = {
  mode: "black_box",
  scenario: "s",
  environment: "local",
  capture: "full",
  constraints: [],
  agentVersion: null,
} as const;

const facts: Readonly<Record<string, FactBody>> = {
  "a long text": { type: "warning", code: "x", message: "ä".repeat(LONGEST_FACT) },
  "control characters, six characters each in JSON": { type: "observation", ...observation, request: "\u0001".repeat(LONGEST_FACT / 2) },
  "long texts in several fields": {
    type: "permission-decision",
    decision: "deny",
    callId: "c".repeat(LONGEST_FACT),
    tool: "t".repeat(LONGEST_FACT),
    reason: "\ud800".repeat(LONGEST_FACT),
  },
  "many items": {
    type: "process-started",
    cwd: "/",
    argv: Array.from({ length: 1_500_000 }, (_, i) => `argument ${i}`),
    argvSha256: "0",
    verbose: null,
  },
  "an object with many fields": {
    type: "observation",
    ...observation,
    request: "r",
    constraints: [
      { id: "c", type: "t", rule: "r", options: Object.fromEntries(Array.from({ length: 1_000_000 }, (_, i) => [`key${i}`, i])) },
    ],
  },
};

describe("S1: boundedFact", () => {
  test.each(Object.entries(facts))("shortens %s; the rest stays a fact", (_, body) => {
    expect(isTooLong(body)).toBe(true);
    const bounded = boundedFact(recorded(body));
    expect(isTooLong(bounded)).toBe(false);
    expect(Object.keys(bounded)).toEqual(Object.keys(body));
    expect(storedRecordOf(JSON.stringify({ seq: 1, type: "fact", at: 0, body: bounded, hash: "" }))).toBeDefined();
  });

  test("returns a shorter fact itself", () => {
    const body: FactBody = { type: "warning", code: "x", message: "short" };
    expect(boundedFact(recorded(body))).toBe(body);
  });
});
