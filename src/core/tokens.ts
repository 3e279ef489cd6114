/** Disjoint token classes: no token is in two of them. Null is "not told", which is not zero. */
export interface Tokens {
  /** Uncached input. */
  readonly input: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  /** Output without reasoning, where the agent tells them apart. */
  readonly output: number | null;
  readonly reasoning: number | null;
}

export const noTokens: Tokens = Object.freeze({ input: null, cacheRead: null, cacheWrite: null, output: null, reasoning: null });

export const tokenClasses = ["input", "cacheRead", "cacheWrite", "output", "reasoning"] as const;

/** Class by class; a class that only one side knows keeps that side's number. */
export function addTokens(a: Tokens, b: Tokens): Tokens {
  return combine(a, b, (x, y) => (x === null ? y : y === null ? x : x + y));
}

/** What came on top of `before` in `after`, class by class; null where `after` does not tell. */
export function tokensSince(before: Tokens, after: Tokens): Tokens {
  return combine(after, before, (x, y) => (x === null ? null : x - (y ?? 0)));
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
