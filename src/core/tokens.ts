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
  return combine(a, b, (x, y) => x + y);
}

/** What came on top of `before` in `after`, class by class. */
export function tokensSince(before: Tokens, after: Tokens): Tokens {
  return combine(after, before, (x, y) => x - y);
}

export function anyTokens(tokens: Tokens): boolean {
  return tokenClasses.some((name) => tokens[name] !== null && tokens[name] !== 0);
}

function combine(a: Tokens, b: Tokens, sum: (x: number, y: number) => number): Tokens {
  const one = (x: number | null, y: number | null) => (x === null ? (y === null ? null : sum(0, y)) : y === null ? x : sum(x, y));
  return {
    input: one(a.input, b.input),
    cacheRead: one(a.cacheRead, b.cacheRead),
    cacheWrite: one(a.cacheWrite, b.cacheWrite),
    output: one(a.output, b.output),
    reasoning: one(a.reasoning, b.reasoning),
  };
}
