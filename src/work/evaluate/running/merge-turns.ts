import type { Capture } from "../../../pure/views/index.ts";

/** Merges the runs of a conversation into one record: one trajectory with continuous numbers, and times since its first start. */
export function mergeTurns(turns: readonly Capture[], id: string): Capture | undefined {
  const [first] = turns;
  const last = turns.at(-1);
  if (first === undefined || last === undefined || turns.length === 1) return first;
  const steps = turns.flatMap(({ trajectory, timing }) =>
    trajectory.map((step) => ({ ...step, timestamp: step.timestamp + timing.start - first.timing.start })),
  );
  const errors = turns.flatMap((turn) => turn.errors ?? []);
  const { errors: _, ...rest } = first;
  return {
    ...rest,
    output: last.output,
    trajectory: steps.map((step, index) => ({ ...step, stepId: `${id}-step-${index + 1}` })),
    timing: { ...first.timing, end: last.timing.end },
    toolErrors: turns.some(({ toolErrors }) => toolErrors),
    ...(errors.length === 0 ? {} : { errors }),
  };
}
