import type { TracedEffect, TraceGap, TraceGapReason } from "../../../../pure/events/index.ts";
import type { TracedProcess } from "./trace-processes.ts";

/** Further effects are only counted. */
const MOST_EFFECTS = 20_000;
const LONGEST_ARGV = 500;
const MOST_GAPS = 100;
const NAMED = new Set<TraceGapReason>(["unknown-call", "unknown-family", "unsure-connection"]);

/** Collects effects: one entry per file or address, separately for the agent and its commands. */
export function traceEffects() {
  const effects = new Map<string, TracedEffect>();
  const gaps = new Map<string, { readonly reason: TraceGapReason; count: number; example?: string }>();

  function add(what: Pick<TracedEffect, "kind" | "target" | "peer" | "call" | "at" | "pid">, { isAgent, command }: TracedProcess): void {
    const by = isAgent ? "agent" : "command";
    const key = `${by} ${what.kind} ${what.target}`;
    const known = effects.get(key);
    if (known === undefined && effects.size >= MOST_EFFECTS) return miss("too-many", what.target);
    effects.set(key, { ...(known ?? { ...what, by, argv: shortened(command?.argv ?? []) }), count: (known?.count ?? 0) + 1 });
  }

  /** Gaps that have names are listed one by one, the others by their reason. */
  function miss(reason: TraceGapReason, example?: string): void {
    const key = NAMED.has(reason) && gaps.size < MOST_GAPS ? `${reason} ${example}` : reason;
    const known = gaps.get(key);
    if (known === undefined) gaps.set(key, { reason, count: 1, ...(example !== undefined && { example: example.slice(0, LONGEST_ARGV) }) });
    else known.count++;
  }

  return {
    add,
    miss,
    effects: (): readonly TracedEffect[] => [...effects.values()],
    gaps: (): readonly TraceGap[] => [...gaps.values()],
  };
}

function shortened(argv: readonly string[]): readonly string[] {
  let left = LONGEST_ARGV;
  return argv.flatMap((arg) => {
    if (left <= 0) return [];
    const shown = arg.length > left ? `${arg.slice(0, left)}…` : arg;
    left -= arg.length + 1;
    return [shown];
  });
}
