import { counted, dollars, whole } from "../../pure/base/index.ts";
import { addUsage, noUsage } from "../../pure/conversation/index.ts";
import type { Usage } from "../../pure/events/index.ts";

/** What a run and its subagents may use together. */
export interface Budget {
  /** Tokens of all kinds, as the provider counts them. */
  readonly tokens?: number;
  /** US dollars, as the provider reports them, or as `price` computes them. */
  readonly usd?: number;
  readonly ms?: number;
  /** The price of one answer; null if unknown. */
  readonly price?: (usage: Usage, model: string) => number | null;
}

export interface Spending {
  add(usage: Usage, model: string): void;
  /** Which limit is reached; undefined if none is. */
  exceeded(): string | undefined;
  /** The time that is left; undefined without a limit. */
  readonly msLeft: number | undefined;
}

export function spending({ tokens, usd, ms, price }: Budget, now: () => number = Date.now): Spending {
  const startedAt = now();
  let used: Usage = noUsage;
  let cost: number | null = null;
  let unpriced = 0;

  return {
    add(usage, model) {
      used = addUsage(used, usage);
      const priced = usage.costUsd ?? price?.(usage, model) ?? null;
      if (priced === null) unpriced++;
      else cost = (cost ?? 0) + priced;
    },
    exceeded() {
      const sum = totalOf(used);
      if (tokens !== undefined && sum >= tokens) return `The budget of ${whole(tokens)} tokens is used up: ${whole(sum)} were used`;
      if (usd !== undefined && unpriced > 0)
        return `The budget of ${dollars(usd)} cannot be kept: the price of ${counted(unpriced, "answer")} is unknown`;
      if (usd !== undefined && cost !== null && cost >= usd) return `The budget of ${dollars(usd)} is used up: ${dollars(cost)} were spent`;
      if (ms !== undefined && now() - startedAt >= ms) return `The time budget of ${ms / 1000} s is used up`;
      return undefined;
    },
    get msLeft() {
      return ms === undefined ? undefined : Math.max(0, ms - (now() - startedAt));
    },
  };
}

function totalOf({ inputTokens, outputTokens, cacheReadTokens = 0, cacheCreationTokens = 0 }: Usage): number {
  return (inputTokens ?? 0) + (outputTokens ?? 0) + cacheReadTokens + cacheCreationTokens;
}
