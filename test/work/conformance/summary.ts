import type { Outcome } from "../../../src/work/conformance/outcome.ts";
import { type Summary, summarize, type Tried } from "../../../src/work/conformance/summary.ts";

/** The outcome of one run; `problems` decide whether it passed. */
export function outcome(scenario: string, problems: readonly string[] = [], changes: Partial<Outcome> = {}): Outcome {
  return {
    scenario,
    problems,
    judgement: {
      problems,
      operations: { right: 2, wrong: problems.length, missing: 0 },
      usage: { input: "equal", cacheRead: "equal", cacheWrite: "differs", output: "equal", reasoning: "within" },
      coverage: "whole",
      status: { expected: "completed", found: problems.length === 0 ? "completed" : "failed" },
    },
    milliseconds: 1234.5,
    lines: 50,
    unread: problems.map((_, n) => ({ type: "odd", n })),
    requests: 2,
    tokens: 7,
    shapes: new Map([["result", new Set(["type", "usage"])]]),
    ...changes,
  };
}

export function summary(changes: Partial<Tried> = {}): Summary {
  const outcomes = [outcome("two"), outcome("one")];
  return summarize({ agent: "a", version: "1.0", label: "agent 1.0", outcomes, recorded: undefined, consumers: [], ...changes });
}
