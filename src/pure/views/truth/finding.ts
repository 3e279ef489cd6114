import type { Finding, Side, TruthRule, Unobservable } from "./schema.ts";

export interface Findings {
  readonly findings: readonly Finding[];
  readonly unobservable: readonly Unobservable[];
}

/** For an agent that prints plain text. */
export const NO_REPORTS = "this agent's output reports no calls";

const LONGEST = 300;

export function side(text: string, events: readonly number[]): Side {
  const line = text.replace(/\s+/g, " ").trim();
  return { text: line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line, events: [...events] };
}

export const NOTHING: Findings = { findings: [], unobservable: [] };

export function found(finding: Finding): Findings {
  return { findings: [finding], unobservable: [] };
}

/** A claim that the rule could not decide. */
export function undecided(rule: TruthRule, reason: string, claim: string): Findings {
  return { findings: [], unobservable: [{ rule, reason, claim: side(claim, []).text }] };
}

/** No finding, and nothing undecided: a rule looked, and everything matches. */
export function isSupported({ findings, unobservable }: Findings): boolean {
  return findings.length === 0 && unobservable.every(({ claim }) => claim === undefined);
}

/** A claim with a condition is doubted, and never contradicted. */
export function softened(
  { isConditional, sentence }: { readonly isConditional: boolean; readonly sentence: string },
  all: Findings,
): Findings {
  if (!isConditional) return all;
  return joined([
    { findings: [], unobservable: all.unobservable },
    ...all.findings.map(({ rule, observed }) => undecided(rule, `the claim has a condition; ${observed.text}`, sentence)),
  ]);
}

export function joined(parts: readonly Findings[]): Findings {
  return { findings: parts.flatMap(({ findings }) => findings), unobservable: parts.flatMap(({ unobservable }) => unobservable) };
}
