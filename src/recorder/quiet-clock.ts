/** The longest time that a timer can be set to. */
const LONGEST = 2 ** 31 - 1;

/** Rings when nothing was heard for that long. Hearing something costs a number, not a timer. */
export interface QuietClock {
  heard(): void;
  stop(): void;
}

/** `onQuiet` is told for how long nothing was heard, and answers how long to wait from then on; nothing ends it. */
export function quietClock(limitMs: number, onQuiet: (quietMs: number) => number | undefined): QuietClock {
  let last = performance.now();
  let limit = limitMs;
  let timer: NodeJS.Timeout | undefined;

  function arm(): void {
    const left = limit - (performance.now() - last);
    timer = setTimeout(ring, Math.min(Math.max(left, 1), LONGEST));
  }

  function ring(): void {
    const quiet = performance.now() - last;
    if (quiet < limitMs) limit = limitMs; // something was heard: begin anew
    if (quiet < limit) return arm();
    const next = onQuiet(quiet);
    if (next === undefined) return;
    limit = next;
    arm();
  }

  arm();
  return {
    heard() {
      last = performance.now();
    },
    stop: () => clearTimeout(timer),
  };
}
