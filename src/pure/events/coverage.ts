import { compact, described, dollars, flag, named, number, object, oneOf, type Static } from "../base/index.ts";
import { addTokens, anyTokens, noTokens, type Tokens, tokenCounts, tokens, totalTokens } from "./tokens.ts";

/** From the least to the most. */
const REACH = ["last-step", "main", "run"] as const;

export const covers = described(
  oneOf(...REACH),
  "What the numbers cover: run = all threads, with subagents; main = the main thread alone; last-step = the last model request of a turn",
);
export type Covers = Static<typeof covers>;

/** What two numbers cover together. */
export function lesser(a: Covers, b: Covers): Covers {
  return REACH.indexOf(a) < REACH.indexOf(b) ? a : b;
}

const reach = {
  covers,
  complete: described(flag, "False if requests may be missing: the run was cut short, or the agent does not name its subagents"),
};

/** Numbers that are less than the run's. */
export const partialUsage = named(object({ ...reach, tokens }), "PartialUsage", "Tokens of a part of the run");
export const partialCost = named(object({ ...reach, costUsd: number }), "PartialCost", "The cost of a part of the run");
export type PartialUsage = Static<typeof partialUsage>;
export type PartialCost = Static<typeof partialCost>;

/** What a run used. `usage` and `costUsd` are the whole run's or unknown; a part is kept apart, and is a lower bound. */
export interface Used {
  readonly usage: Tokens;
  readonly costUsd: number | null;
  readonly partialUsage?: PartialUsage;
  readonly partialCost?: PartialCost;
}

/** In words, for a number that is not the whole run's: `last step only`. */
export function coverageNote({ covers: part, complete }: Pick<PartialUsage, "covers" | "complete">): string {
  const what = part === "last-step" ? "last step only" : part === "main" ? "without subagents" : "";
  return [what, complete ? "" : "incomplete"].filter((word) => word !== "").join(", ");
}

/** Marks a number as a lower bound. */
export function atLeast(amount: string, isPartial: boolean): string {
  return isPartial ? `≥ ${amount}` : amount;
}

/** `1,200 input · 34 output`, or of a part `≥ 1,200 input · 34 output (last step only)`; empty if nothing is known. */
export function usageText(usage: Tokens, partial: PartialUsage | undefined): string {
  return partial === undefined ? tokenCounts(usage) : `${atLeast(tokenCounts(partial.tokens), true)} (${coverageNote(partial)})`;
}

/** The sum of all classes, `1.2K`, or of a part `≥ 1.2K`. */
export function shortTokens(usage: Tokens | null, partial: PartialUsage | undefined): string {
  return partial === undefined ? compact(totalTokens(usage)) : atLeast(compact(totalTokens(partial.tokens)), true);
}

/** The same for a cost; null if nothing is known. */
export function costText(costUsd: number | null, partial: PartialCost | undefined): string | null {
  const cost = shortCost(costUsd, partial);
  return partial === undefined ? cost : `${cost} (${coverageNote(partial)})`;
}

/** `$0.12`, or of a part `≥ $0.12`: for a column. */
export function shortCost(costUsd: number | null, partial: PartialCost | undefined): string | null {
  if (partial !== undefined) return atLeast(dollars(partial.costUsd), true);
  return costUsd === null ? null : dollars(costUsd);
}

/** What several runs used together. The sum is partial if one of them reports a part, or nothing while others do. */
export function sumUsed(runs: readonly Used[]): Used {
  const tokens = runs.map(({ usage, partialUsage: part }) => part?.tokens ?? usage);
  const costs = runs.map(({ costUsd, partialCost: part }) => part?.costUsd ?? costUsd);
  const known = { tokens: tokens.filter(anyTokens).length, cost: costs.filter((cost) => cost !== null).length };
  const usage = tokens.reduce(addTokens, noTokens);
  const costUsd = known.cost === 0 ? null : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
  const part = together(
    runs.map(({ partialUsage: each }) => each),
    known.tokens > 0 && known.tokens < runs.length,
  );
  const costPart = together(
    runs.map(({ partialCost: each }) => each),
    known.cost > 0 && known.cost < runs.length,
  );
  return {
    usage: part === undefined ? usage : noTokens,
    costUsd: costPart === undefined ? costUsd : null,
    ...(part && { partialUsage: { ...part, tokens: usage } }),
    ...(costPart && costUsd !== null && { partialCost: { ...costPart, costUsd } }),
  };
}

function together(parts: readonly (Reach | undefined)[], isOneMissing: boolean): Reach | undefined {
  if (!isOneMissing && parts.every((part) => part === undefined)) return undefined;
  const complete = !isOneMissing && parts.every((part) => part?.complete !== false);
  return { covers: parts.reduce<Covers>((least, part) => (part === undefined ? least : lesser(least, part.covers)), "run"), complete };
}

type Reach = Pick<PartialUsage, "covers" | "complete">;
