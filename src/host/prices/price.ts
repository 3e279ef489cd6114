import type { Tokens } from "../../pure/events/index.ts";
import { type Override, overridesIn } from "./overrides.ts";

/** The published table, by the name and version of its package. */
export const TABLE = "genai-prices 0.1.8";

/** US dollars per million tokens; null if the table has none. A tier holds from so many input tokens on. */
export interface Rates {
  readonly input: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  readonly output: number | null;
  readonly tiers?: boolean;
}

export interface Price {
  readonly costUsd: number;
  /** The model in the table. */
  readonly model: string;
  /** The source of the rates: the table and its version, or `override`. */
  readonly table: string;
}

export interface PriceQuery {
  readonly model: string;
  /** The rates of this time. Default: now. */
  readonly at?: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** What tokens cost; undefined if the model or its tokens are not known. Nothing is guessed: a class without a rate costs nothing. */
export async function priceOf(tokens: Tokens, { model, at = Date.now(), env = process.env }: PriceQuery): Promise<Price | undefined> {
  const { input, cacheRead, cacheWrite, output, reasoning } = tokens;
  if (input === null || output === null) return undefined;
  const own = overridesIn(env).get(model);
  if (own !== undefined) return { costUsd: ownCost(own, tokens), model, table: "override" };
  const { calcPrice } = await import("@pydantic/genai-prices");
  const usage = {
    input_tokens: input + (cacheRead ?? 0) + (cacheWrite ?? 0), // its input includes what was cached
    cache_read_tokens: cacheRead ?? 0,
    cache_write_tokens: cacheWrite ?? 0,
    output_tokens: output + (reasoning ?? 0),
  };
  for (const { name, provider } of spellings(model)) {
    const found = calcPrice(usage, name, { timestamp: new Date(at), ...(provider !== undefined && { providerId: provider }) });
    if (found !== null) return { costUsd: found.total_price, model: found.model.id, table: TABLE };
  }
  return undefined;
}

/** The rates of a model, as `priceOf` uses them. */
export async function ratesOf(model: string, env: PriceQuery["env"] = process.env): Promise<(Rates & Omit<Price, "costUsd">) | undefined> {
  const own = overridesIn(env).get(model);
  if (own !== undefined) return { ...own, model, table: "override" };
  const { calcPrice } = await import("@pydantic/genai-prices");
  for (const { name, provider } of spellings(model)) {
    const found = calcPrice({ input_tokens: 0, output_tokens: 0 }, name, provider === undefined ? {} : { providerId: provider });
    if (found === null) continue;
    const rate = (key: string) => {
      const value = found.model_price[key];
      return value === undefined ? null : typeof value === "number" ? value : value.base;
    };
    const tiers = Object.values(found.model_price).some((value) => typeof value === "object");
    const all = {
      input: rate("input_mtok"),
      cacheRead: rate("cache_read_mtok"),
      cacheWrite: rate("cache_write_mtok"),
      output: rate("output_mtok"),
    };
    return { ...all, ...(tiers && { tiers }), model: found.model.id, table: TABLE };
  }
  return undefined;
}

/** `anthropic/claude-x`, `claude-x[1m]` and `claude-x` are the same model. */
function spellings(model: string): readonly { readonly name: string; readonly provider?: string }[] {
  const bare = model.replace(/\[[^\]]*\]$/, "");
  const slash = bare.lastIndexOf("/");
  return [
    { name: bare },
    ...(slash > 0 ? [{ name: bare.slice(slash + 1), provider: bare.slice(0, bare.indexOf("/")) }, { name: bare.slice(slash + 1) }] : []),
  ];
}

function ownCost(rates: Override, { input, cacheRead, cacheWrite, output, reasoning }: Tokens): number {
  const part = (count: number | null, rate: number | null) => ((count ?? 0) * (rate ?? 0)) / 1e6;
  return (
    part(input, rates.input) +
    part(cacheRead, rates.cacheRead ?? rates.input) +
    part(cacheWrite, rates.cacheWrite ?? rates.input) +
    part((output ?? 0) + (reasoning ?? 0), rates.output)
  );
}
