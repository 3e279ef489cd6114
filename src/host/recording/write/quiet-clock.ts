/** The longest time that a timer can be set to. */
const LONGEST = 2 ** 31 - 1;

/** Rings when nothing was heard for that long. Hearing something costs a number, not a timer. */
export interface QuietClock {
  heard(): void;
  stop(): void;
}

/**
 * `onQuiet` is told for how long nothing was heard, and answers after how long a silence, counted from its beginning, it wants to be
 * told again; nothing ends it. Once something is heard, it is told after `limitMs` again.
 */
export function quietClock(limitMs: number, onQuiet: (quietMs: number) => number | undefined): QuietClock {
  let last = performance.now();
  let limit = limitMs;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;

  function arm(): void {
    clearTimeout(timer);
    const left = limit - (performance.now() - last);
    timer = setTimeout(ring, Math.min(Math.max(left, 1), LONGEST));
  }

  function ring(): void {
    const quiet = performance.now() - last;
    if (quiet < limit) return arm();
    const next = onQuiet(quiet);
    isOver ||= next === undefined;
    if (isOver) return;
    limit = next ?? limitMs;
    arm();
  }

  arm();
  return {
    heard() {
      last = performance.now();
      if (isOver || limit === limitMs) return;
      limit = limitMs; // the timer was set for a silence that is over
      arm();
    },
    stop() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
