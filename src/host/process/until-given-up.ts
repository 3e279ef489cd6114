/**
 * The items of a source until it ends. After `signal` is aborted, the source may take `graceMs` in all to end by itself. Then it is given
 * up: the signal's reason is thrown, and the source is asked to return but not waited for.
 */
export async function* untilGivenUp<T>(source: AsyncIterable<T>, signal: AbortSignal | undefined, graceMs = 0): AsyncGenerator<T, void> {
  const items = source[Symbol.asyncIterator]();
  let timer: NodeJS.Timeout | undefined;
  let isGivenUp = false;
  let isOver = false;
  let leave: (reason: unknown) => void = () => {};
  const giveUp = () => {
    isGivenUp = true;
    leave(signal?.reason);
  };
  const wait = () => {
    if (graceMs > 0) timer = setTimeout(giveUp, graceMs);
    else giveUp();
  };
  if (signal?.aborted) wait();
  else signal?.addEventListener("abort", wait, { once: true });

  /** Its own promise each time: a race with one that lives as long as the source would keep every item in memory. */
  async function next(): Promise<IteratorResult<T>> {
    if (isGivenUp) throw signal?.reason;
    return new Promise((resolve, reject) => {
      leave = reject;
      Promise.resolve(items.next()).then(resolve, (error: unknown) => {
        isOver = true;
        reject(error);
      });
    });
  }

  try {
    for (;;) {
      const item = await next();
      isOver = item.done === true;
      if (item.done === true) return;
      yield item.value;
    }
  } finally {
    signal?.removeEventListener("abort", wait);
    clearTimeout(timer);
    const returned = isOver ? undefined : Promise.resolve(items.return?.());
    if (isGivenUp) returned?.catch(() => {});
    else await returned;
  }
}
