import { tokenClasses } from "../../pure/events/index.ts";
import type { Kind } from "./choose-turn.ts";
import { noUsage, type Usage } from "./model-scenario.ts";

/** One request and its answer. Contains no headers, and of the contents only the strings that the scenario watches for. */
export interface LedgerEntry {
  /** Counts answered requests from 1. */
  readonly seq: number;
  /** When it arrived, in epoch milliseconds. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly dialect: string | null;
  readonly model: string | null;
  /** `other`: not a request for a turn. */
  readonly kind: Kind | "other";
  readonly marker: string | null;
  /** The index of the turn in its script; null outside a script. */
  readonly turn: number | null;
  readonly stream: boolean | null;
  readonly status: number;
  /** The charged tokens, as far as the client learned them; null if it learned none. */
  readonly usage: Usage | null;
  /** The scripted fault: `status 500`, `cut mid-text`, `error overloaded`. */
  readonly fault: string | null;
  /** The names of the offered tools. */
  readonly tools: readonly string[];
  /** The watched strings that it contained. */
  readonly seen: readonly string[];
  /** The size of the request's body. */
  readonly bytes: number;
  /** The client left before the answer was complete. */
  readonly aborted: boolean;
}

/** The sum of all charges, class by class. */
export function usageOf(entries: Iterable<LedgerEntry>): Usage {
  const sum: Record<keyof Usage, number> = { ...noUsage };
  for (const { usage } of entries) for (const name of tokenClasses) sum[name] += usage?.[name] ?? 0;
  return sum;
}
