import { overridesIn, ratesOf, setOverride } from "../../../host/prices/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import { FAILED, inTerminal, printTable, say, setExitCode, writeJson } from "../../terminal/index.ts";

export interface SetFlags {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

export async function showPrices(models: readonly string[], { json }: { json?: true }): Promise<void> {
  const rows = [];
  for (const name of models.length > 0 ? models : overridesIn(process.env).keys()) {
    const rates = await ratesOf(name);
    if (rates === undefined) {
      say(`${name} is not in the table, so its cost stays unknown. Set its rates with harness prices set`);
      setExitCode(FAILED);
      continue;
    }
    const { model, input, cacheRead, cacheWrite, output, tiers, table } = rates;
    rows.push({ name, model, input, cacheRead, cacheWrite, output, tiers: tiers === true, table });
  }
  if (models.length === 0 && rows.length === 0) say("you have set no rates. Name models to see those of the table");
  if (json || !inTerminal()) return writeJson(rows);
  const text = (value: number | null) => (value === null ? "–" : `$${value}`);
  const shown = rows.map(({ name, model, table, tiers, ...rates }) => ({
    name,
    model,
    ...Object.fromEntries(Object.entries(rates).map(([key, value]) => [key, text(value)])),
    "more above a size": tiers ? "yes" : "no",
    table,
  }));
  await printTable(shown);
}

export function setPrice(model: string, { input, output, cacheRead, cacheWrite }: SetFlags): void {
  say(`wrote ${setOverride(model, { input, output, cacheRead: cacheRead ?? null, cacheWrite: cacheWrite ?? null }, process.env)}`);
}

export function removePrice(model: string): void {
  if (!overridesIn(process.env).has(model))
    throw new HarnessError("usage", `You have no rates for ${model}. List them with harness prices.`);
  say(`wrote ${setOverride(model, undefined, process.env)}`);
}
