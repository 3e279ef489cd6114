import type { UsageBody } from "./event.ts";
import { addTokens, noTokens, type Tokens } from "./tokens.ts";

/** Adds up `usage` events: a total replaces earlier ones, a step is added. */
export function usageSum() {
  let tokens: Tokens = noTokens;
  let costUsd: number | null = null;

  return {
    add(usage: UsageBody): void {
      const total = usage.scope === "total";
      tokens = total ? usage.tokens : addTokens(tokens, usage.tokens);
      if (usage.costUsd !== undefined) costUsd = total ? usage.costUsd : (costUsd ?? 0) + usage.costUsd;
    },
    get tokens(): Tokens {
      return tokens;
    },
    get costUsd(): number | null {
      return costUsd;
    },
  };
}
