import { described, named, nullable, number, object, type Static, whole } from "../base/index.ts";

export const tokens = named(
  object({
    input: described(nullable(number), "Uncached input"),
    cacheRead: nullable(number),
    cacheWrite: nullable(number),
    output: described(nullable(number), "Output without reasoning, if the agent reports them separately"),
    reasoning: nullable(number),
  }),
  "Tokens",
  'Disjoint classes: no token is in two of them. Null means "not reported", which is not zero',
);
export type Tokens = Static<typeof tokens>;

/** What a session has used over all its runs; null means not known. */
export interface SessionUsage {
  readonly tokens: Tokens;
  readonly costUsd: number | null;
}

export const noTokens: Tokens = Object.freeze({ input: null, cacheRead: null, cacheWrite: null, output: null, reasoning: null });

export const tokenClasses = Object.keys(tokens.fields) as readonly (keyof Tokens)[];

/** Adds class by class. If only one side knows a class, its number stays. */
export function addTokens(a: Tokens, b: Tokens): Tokens {
  return combine(a, b, (x, y) => (x === null ? y : y === null ? x : x + y));
}

/** Adds class by class. If either side does not know a class, the sum is unknown. */
export function sumOfTokens(a: Tokens, b: Tokens): Tokens {
  return combine(a, b, (x, y) => (x === null || y === null ? null : x + y));
}

/** What `after` has in addition to `before`, class by class; null if `after` does not report the class. */
export function tokensSince(before: Tokens, after: Tokens): Tokens {
  return combine(after, before, (x, y) => (x === null ? null : x - (y ?? 0)));
}

/** A run's share of its session's total; null if either is unknown or the total is smaller. */
export function ownTokens(total: Tokens, before: SessionUsage | undefined): Tokens {
  return before === undefined ? total : combine(total, before.tokens, ownPart);
}

/** The cost of a run, computed like `ownTokens`. */
export function ownCost(total: number | undefined, before: SessionUsage | undefined): number | undefined {
  if (before === undefined || total === undefined) return total;
  return ownPart(total, before.costUsd) ?? undefined;
}

function ownPart(total: number | null, before: number | null): number | null {
  return total === null || before === null || total < before ? null : total - before;
}

/** The sum of all reported classes; null if none was. */
export function totalTokens(tokens: Tokens | null): number | null {
  const known = tokens === null ? [] : tokenClasses.flatMap((name) => tokens[name] ?? []);
  return known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0);
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
  const used = tokenClasses.filter((name) => tokens[name] !== null && tokens[name] !== 0);
  return used.map((name) => `${whole(tokens[name])} ${NAMES[name]}`).join(" · ");
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
