import { type Price, priceOf } from "../../../host/prices/index.ts";
import type { Tokens } from "../../../pure/events/index.ts";

/** What a run's tokens cost by the table of prices. Undefined if the agent reports its cost, or if the model or the tokens are unknown. */
export async function computedCostOf(
  { usage, cost }: { readonly usage: Tokens; readonly cost: number | null },
  model: string | null,
  at: number,
): Promise<Price | undefined> {
  return cost !== null || model === null ? undefined : priceOf(usage, { model, at });
}
