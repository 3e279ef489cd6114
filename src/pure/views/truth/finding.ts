/** One side of a finding: what is said or seen, and the events that show it. */
export interface Side {
  text: string;
  events: number[];
}

/** Where what the agent says and what was seen do not fit. */
export interface Finding {
  /** Which rule found it: docs/checks.md has them all. */
  rule: TruthRule;
  message: string;
  declared: Side;
  observed: Side;
}

/** What a rule could not look at, and why. */
export interface Unobservable {
  rule: TruthRule;
  reason: string;
}

export const TRUTH_RULES = [
  "write-without-trace",
  "change-without-report",
  "tests-claimed-unseen",
  "tests-claimed-failed",
  "test-run-unseen",
  "test-run-failed",
  "command-without-report",
  "success-while-blocked",
  "tokens-differ",
] as const;

export type TruthRule = (typeof TRUTH_RULES)[number];

export interface Findings {
  readonly findings: readonly Finding[];
  readonly unobservable: readonly Unobservable[];
}

/** Of an agent that prints plain text. */
export const NO_REPORTS = "this agent's output reports no calls";

const LONGEST = 300;

export function side(text: string, events: readonly number[]): Side {
  const line = text.replace(/\s+/g, " ").trim();
  return { text: line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line, events: [...events] };
}
