import type { Capture } from "../../../pure/views/index.ts";

/**
 * Merges the runs of a conversation into one record: one trajectory with continuous numbers, and times since its first start. Steps stay
 * in the order in which they began, also if the machine's clock was set back between two turns.
 */
export function mergeTurns(turns: readonly Capture[], id: string): Capture | undefined {
  const [first] = turns;
  const last = turns.at(-1);
  if (first === undefined || last === undefined || turns.length === 1) return first;
  const { start } = first.timing;
  let latest = 0;
  const since = (turn: Capture, ms: number) => Math.max(latest, turn.timing.start - start + ms);
  const trajectory: Capture["trajectory"][number][] = [];
  let firstResponse: number | undefined;
  for (const turn of turns) {
    if (turn.timing.firstResponse !== undefined) firstResponse ??= since(turn, turn.timing.firstResponse);
    for (const step of turn.trajectory) {
      latest = since(turn, step.timestamp);
      trajectory.push({ ...step, timestamp: latest, stepId: `${id}-step-${trajectory.length + 1}` });
    }
  }
  const errors = turns.flatMap((turn) => turn.errors ?? []);
  const { errors: _, ...rest } = first;
  return {
    ...rest,
    output: last.output,
    trajectory,
    timing: { start, end: Math.max(last.timing.end, start + latest), ...(firstResponse === undefined ? {} : { firstResponse }) },
    toolErrors: turns.some(({ toolErrors }) => toolErrors),
    ...(errors.length === 0 ? {} : { errors }),
  };
}
