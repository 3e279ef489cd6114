import { described, named, nullable, number, object, type Static, whole } from "../base/index.ts";

export const tokens = named(
  object({
    input: described(nullable(number), "Uncached input"),
    cacheRead: nullable(number),
    cacheWrite: nullable(number),
    output: described(nullable(number), "Output without reasoning, where the agent tells them apart"),
    reasoning: nullable(number),
  }),
  "Tokens",
  'Disjoint classes: no token is in two of them. Null is "not told", which is not zero',
);
export type Tokens = Static<typeof tokens>;

/** What a session has used so far, over all of its runs; null is "not known". */
export interface SessionUsage {
  readonly tokens: Tokens;
  readonly costUsd: number | null;
}

export const noTokens: Tokens = Object.freeze({ input: null, cacheRead: null, cacheWrite: null, output: null, reasoning: null });

export const tokenClasses = Object.keys(tokens.fields) as readonly (keyof Tokens)[];

/** Class by class; a class that only one side knows keeps that side's number. */
export function addTokens(a: Tokens, b: Tokens): Tokens {
  return combine(a, b, (x, y) => (x === null ? y : y === null ? x : x + y));
}

/** Class by class; a class that one side does not know is not known of both. */
export function sumOfTokens(a: Tokens, b: Tokens): Tokens {
  return combine(a, b, (x, y) => (x === null || y === null ? null : x + y));
}

/** What came on top of `before` in `after`, class by class; null where `after` does not tell. */
export function tokensSince(before: Tokens, after: Tokens): Tokens {
  return combine(after, before, (x, y) => (x === null ? null : x - (y ?? 0)));
}

/** What a run used of what its session has used in all; null where one of the two is not known, or they do not fit together. */
export function ownTokens(total: Tokens, before: SessionUsage | undefined): Tokens {
  return before === undefined ? total : combine(total, before.tokens, ownPart);
}

/** The same for the cost. */
export function ownCost(total: number | undefined, before: SessionUsage | undefined): number | undefined {
  if (before === undefined || total === undefined) return total;
  return ownPart(total, before.costUsd) ?? undefined;
}

function ownPart(total: number | null, before: number | null): number | null {
  return total === null || before === null || total < before ? null : total - before;
}

/** All classes that were told; null where none was. */
export function totalTokens(tokens: Tokens | null): number | null {
  const told = tokens === null ? [] : tokenClasses.flatMap((name) => tokens[name] ?? []);
  return told.length === 0 ? null : told.reduce((sum, count) => sum + count, 0);
}

const NAMES: Readonly<Record<keyof Tokens, string>> = {
  input: "input",
  cacheRead: "cache read",
  cacheWrite: "cache write",
  output: "output",
  reasoning: "reasoning",
};

/** The classes that are known and not zero: `1,200 input · 34 output`. */
export function tokenCounts(tokens: Tokens): string {
  const told = tokenClasses.filter((name) => tokens[name] !== null && tokens[name] !== 0);
  return told.map((name) => `${whole(tokens[name])} ${NAMES[name]}`).join(" · ");
}

export function anyTokens(tokens: Tokens): boolean {
  return tokenClasses.some((name) => tokens[name] !== null && tokens[name] !== 0);
}

function combine(a: Tokens, b: Tokens, each: (x: number | null, y: number | null) => number | null): Tokens {
  return {
    input: each(a.input, b.input),
    cacheRead: each(a.cacheRead, b.cacheRead),
    cacheWrite: each(a.cacheWrite, b.cacheWrite),
    output: each(a.output, b.output),
    reasoning: each(a.reasoning, b.reasoning),
  };
}
