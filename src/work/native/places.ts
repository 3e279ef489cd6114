/** Runs at most `count` tasks in parallel; the others wait in order. */
export function places(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = Math.max(1, count);
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}
