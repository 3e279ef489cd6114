/** A run's clock: it starts at the system time and then runs evenly, whatever happens to the system clock. */
export interface Clock {
  readonly startedAt: number;
  /** Milliseconds since the epoch. */
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
