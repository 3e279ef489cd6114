import { tokenClasses } from "../../pure/events/index.ts";
import type { Kind } from "./choose-turn.ts";
import { noUsage, type Usage } from "./model-scenario.ts";

/** What one request was, and what it got. Nothing of its headers, and nothing of its contents but what the scenario watches for. */
export interface LedgerEntry {
  /** Counts answered requests from 1. */
  readonly seq: number;
  /** When it came, in epoch milliseconds. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly dialect: string | null;
  readonly model: string | null;
  /** `other`: no request for a turn. */
  readonly kind: Kind | "other";
  readonly marker: string | null;
  /** The number of the turn in its script, from 0; null beside a script. */
  readonly turn: number | null;
  readonly stream: boolean | null;
  readonly status: number;
  /** The tokens it was charged, as far as the client was told them; null where it was told none. */
  readonly usage: Usage | null;
  /** What went wrong on purpose: `status 500`, `cut mid-text`, `error overloaded`. */
  readonly fault: string | null;
  /** Names of the tools on offer. */
  readonly tools: readonly string[];
  /** The watched strings that were in it. */
  readonly seen: readonly string[];
  /** Of the request's body. */
  readonly bytes: number;
  /** The client left before the answer was complete. */
  readonly aborted: boolean;
}

/** What was charged, class by class, over the entries that were charged anything. */
export function usageOf(entries: Iterable<LedgerEntry>): Usage {
  const sum: Record<keyof Usage, number> = { ...noUsage };
  for (const { usage } of entries) for (const name of tokenClasses) sum[name] += usage?.[name] ?? 0;
  return sum;
}
