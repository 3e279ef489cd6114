import type { LogRecord, Tokens } from "../../pure/events/index.ts";
import { tokenClasses } from "../../pure/events/index.ts";
import type { LedgerEntry } from "../model/index.ts";
import { same } from "./shown.ts";

/** Compares the recorded requests with the model's ledger: how many there were, and what the provider's numbers add up to, class by class. */
export function compareWire(log: readonly LogRecord[], ledger: readonly LedgerEntry[]): readonly string[] {
  const requests = log.flatMap((record) => (record.type === "model-request" && record.dialect !== null ? [record] : []));
  const served = ledger.filter((entry) => entry.usage !== null);
  const [wire, charged] = [requests.map(({ tokens }) => tokens).filter((each) => each !== null), served.map(({ usage }) => usage)];
  const turns = ledger.filter(({ dialect, kind }) => dialect !== null && kind !== "other");
  return [
    ...same("wire, requests", turns.length, requests.length),
    ...tokenClasses.flatMap((name) => same(`wire, ${name}`, joined(charged, wire)[name], joined(wire, wire)[name])),
  ];
}

type Counts = { -readonly [Class in keyof Tokens]: number };

/** Sums. A class that the protocol does not report separately, as `like` shows, counts in the class that includes it. */
function joined(all: readonly (Tokens | null)[], like: readonly Tokens[]): Counts {
  const sum: Counts = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 };
  for (const each of all) for (const name of tokenClasses) sum[name] += each?.[name] ?? 0;
  const isReported = (name: keyof Tokens) => like.some((each) => each[name] !== null);
  for (const [name, outer] of [["reasoning", "output"] as const, ["cacheWrite", "input"] as const, ["cacheRead", "input"] as const]) {
    if (isReported(name)) continue;
    sum[outer] += sum[name];
    sum[name] = 0;
  }
  return sum;
}
