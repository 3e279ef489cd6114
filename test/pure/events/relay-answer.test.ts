import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { INVALID_ANSWER, readAnswer } from "../../../src/pure/events/relay-answer.ts";

/** Every answer that permits, written down independently of the reader. */
function isValidPermission(answer: unknown): boolean {
  const isText = (value: unknown) => typeof value === "string";
  const isRecord = (value: unknown): value is Record<string, unknown> =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  const isRule = (value: unknown) =>
    isRecord(value) &&
    Object.keys(value).every((key) => key === "tool" || key === "params") &&
    isText(value["tool"]) &&
    String(value["tool"]).trim() !== "" &&
    (!("params" in value) || (isRecord(value["params"]) && Object.values(value["params"]).every(isText)));
  if (["once", "always", "allow"].includes(answer as string)) return true;
  if (!isRecord(answer)) return false;
  const { reason = "", ...rest } = answer;
  if (!isText(reason)) return false;
  const { decision, approved, always = false, rule = { tool: "x" } } = rest;
  const keys = Object.keys(rest).sort().join();
  const isAlways = typeof always === "boolean" || isRule(always);
  if (keys === "decision") return ["once", "always", "allow"].includes(decision as string);
  if (keys === "approved") return approved === true;
  if (keys === "decision,rule") return decision === "always" && isRule(rule);
  if (keys === "always,decision") return decision === "allow" && isAlways;
  return keys === "always,approved" && approved === true && isAlways;
}

const words = fc.constantFrom("once", "always", "deny", "allow", "Allow", "yes", "ONCE", "once ", "true", "");
const rule = fc.oneof(
  fc.record(
    { tool: fc.oneof(words, fc.anything()), params: fc.oneof(fc.dictionary(fc.string(), fc.string()), fc.anything()) },
    { requiredKeys: [] },
  ),
  fc.anything(),
);
const nearly = fc.record(
  {
    decision: fc.oneof(words, fc.anything()),
    approved: fc.oneof(fc.boolean(), fc.anything()),
    always: fc.oneof(fc.boolean(), rule),
    rule,
    reason: fc.oneof(fc.string(), fc.anything()),
    more: fc.anything(),
  },
  { requiredKeys: [] },
);

describe("W5: an answer is a closed contract", () => {
  test("W5: arbitrary JSON never permits unless it is exactly valid", () => {
    let permitted = 0;
    const property = fc.property(fc.oneof(fc.jsonValue(), words, nearly), (value) => {
      const answer = value === undefined ? undefined : JSON.parse(JSON.stringify(value) ?? "null");
      const permits = readAnswer(answer).decision !== "deny";
      if (permits) permitted++;
      expect(permits).toBe(isValidPermission(answer));
    });
    fc.assert(property, { numRuns: 5_000 });
    expect(permitted).toBeGreaterThan(50); // both sides were reached
  });

  test.for([
    ["once", { decision: "once" }],
    ["always", { decision: "always" }],
    [{ decision: "once" }, { decision: "once" }],
    [
      { decision: "always", rule: { tool: "shell", params: { command: "git *" } } },
      { decision: "always", rule: { tool: "shell", params: { command: "git *" } } },
    ],
    [{ approved: true }, { decision: "once" }],
    [
      { approved: true, always: { tool: "read" } },
      { decision: "always", rule: { tool: "read" } },
    ],
    [{ decision: "allow", always: true }, { decision: "always" }],
    [
      { decision: "deny", reason: "No." },
      { decision: "deny", reason: "No." },
    ],
    ["deny", { decision: "deny", reason: "It was not permitted." }],
    [
      { decision: "deny", always: true },
      { decision: "deny", reason: INVALID_ANSWER },
    ],
    [{ decision: ["once"] }, { decision: "deny", reason: INVALID_ANSWER }],
  ])("W5: %j is read as %j", ([answer, verdict]) => {
    expect(readAnswer(answer)).toEqual(verdict);
  });

  test("W5: an inherited field, a getter that throws and a changing getter do not permit", () => {
    expect(readAnswer(Object.create({ decision: "once" })).decision).toBe("deny");
    const throws = Object.defineProperty({}, "decision", { enumerable: true, get: () => JSON.parse("no") });
    expect(readAnswer(throws)).toEqual({ decision: "deny", reason: INVALID_ANSWER });
    let reads = 0;
    const changes = Object.defineProperty({ reason: "x" }, "decision", { enumerable: true, get: () => (reads++ === 0 ? "deny" : "once") });
    expect(readAnswer(changes)).toEqual({ decision: "deny", reason: "x" });
  });
});
