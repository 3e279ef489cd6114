/** The time of a run: it starts at the system's time and then runs evenly, whatever is done to the system's clock. */
export interface Clock {
  readonly startedAt: number;
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds since the start. */
  elapsed(): number;
}

export function startClock(): Clock {
  const startedAt = Date.now();
  const zero = performance.now();
  const elapsed = () => Math.round(performance.now() - zero);
  return { startedAt, elapsed, now: () => startedAt + elapsed() };
}
