/** The longest delay of a timer. */
const LONGEST = 2 ** 31 - 1;

/** Rings after a silence of the given length. `heard` costs an assignment, not a timer. */
export interface QuietClock {
  heard(): void;
  stop(): void;
}

/**
 * `onQuiet` gets the length of the silence. It returns the length, from its start, after which to call again, or undefined to stop. After
 * something was heard, the next call comes after `limitMs` again.
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
