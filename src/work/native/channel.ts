/** Merges values from many writers for one reader, in the order they are written. Loses nothing that came before its end. */
export interface Channel<T> extends AsyncIterable<T> {
  push(value: T): void;
  close(): void;
}

export function channel<T>(): Channel<T> {
  let waiting: T[] = [];
  let isClosed = false;
  let wake: (() => void) | undefined;

  async function* values(): AsyncGenerator<T, void> {
    for (;;) {
      const batch = waiting;
      waiting = [];
      yield* batch;
      if (waiting.length > 0) continue;
      if (isClosed) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  return {
    push(value) {
      if (isClosed) return;
      waiting.push(value);
      wake?.();
    },
    close() {
      isClosed = true;
      wake?.();
    },
    [Symbol.asyncIterator]: values,
  };
}
