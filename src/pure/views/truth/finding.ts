import type { Finding, Side, Unobservable } from "./schema.ts";

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
