import type { TracedEffect, TraceGap, TraceGapReason } from "../../../../pure/events/index.ts";
import type { TracedProcess } from "./trace-processes.ts";

/** Further effects are only counted. */
const MOST_EFFECTS = 20_000;
const LONGEST_ARGV = 500;

/** Collects effects: one entry per file or address, separately for the agent and its commands. */
export function traceEffects() {
  const effects = new Map<string, TracedEffect>();
  const gaps = new Map<TraceGapReason, { count: number; example?: string }>();

  function add(what: Pick<TracedEffect, "kind" | "target" | "peer" | "call" | "at" | "pid">, { isAgent, command }: TracedProcess): void {
    const by = isAgent ? "agent" : "command";
    const key = `${by} ${what.kind} ${what.target}`;
    const known = effects.get(key);
    if (known === undefined && effects.size >= MOST_EFFECTS) return miss("too-many", what.target);
    effects.set(key, { ...(known ?? { ...what, by, argv: shortened(command?.argv ?? []) }), count: (known?.count ?? 0) + 1 });
  }

  function miss(reason: TraceGapReason, example?: string): void {
    const known = gaps.get(reason);
    if (known === undefined) gaps.set(reason, { count: 1, ...(example !== undefined && { example: example.slice(0, LONGEST_ARGV) }) });
    else known.count++;
  }

  return {
    add,
    miss,
    effects: (): readonly TracedEffect[] => [...effects.values()],
    gaps: (): readonly TraceGap[] => [...gaps].map(([reason, gap]) => ({ reason, ...gap })),
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
