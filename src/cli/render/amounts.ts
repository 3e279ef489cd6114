import { type Tokens, tokenClasses } from "../../core/tokens.ts";

/** The classes that are known and not zero: `1,200 input · 34 output`. */
export function tokenCounts(tokens: Tokens): string {
  const counts = tokenClasses.map((name) => [name, tokens[name]] as const);
  const told = counts.filter((entry): entry is readonly [(typeof entry)[0], number] => entry[1] !== null && entry[1] !== 0);
  return told.map(([name, count]) => `${count.toLocaleString("en")} ${name}`).join(" · ");
}

export function seconds(ms: number | null): string {
  return ms === null ? "" : `${(ms / 1000).toFixed(1)} s`;
}

export function dollars(amount: number | null): string {
  return amount === null ? "" : `$${amount.toFixed(4)}`;
}
