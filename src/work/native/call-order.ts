/** The place of one call among the calls of a turn. */
export interface Ticket {
  /** Waits for its turn: after every earlier call, or, if it only reads, after every earlier call that does not. */
  turn(): Promise<void>;
  /** Lets the others pass while a user is asked; afterwards it waits at the end. */
  stepAside(): void;
  done(): void;
}

/** Lets calls that only read run in parallel, and all others one after the other, in the order in which the model made them. */
export function callOrder(): (onlyReads: boolean) => Ticket {
  type Entry = { readonly onlyReads: boolean; wake: (() => void) | undefined };
  let queue: Entry[] = [];
  const mayRun = (entry: Entry): boolean => {
    const before = queue.slice(0, queue.indexOf(entry));
    return entry.onlyReads ? before.every((each) => each.onlyReads) : before.length === 0;
  };
  const wakeAll = () => {
    for (const entry of queue) if (entry.wake !== undefined && mayRun(entry)) entry.wake();
  };
  const leave = (entry: Entry) => {
    queue = queue.filter((each) => each !== entry);
    wakeAll();
  };
  return (onlyReads) => {
    const entry: Entry = { onlyReads, wake: undefined };
    queue.push(entry);
    return {
      turn() {
        if (!queue.includes(entry)) queue.push(entry);
        if (mayRun(entry)) return Promise.resolve();
        return new Promise((resolve) => {
          entry.wake = resolve;
        });
      },
      stepAside: () => leave(entry),
      done: () => leave(entry),
    };
  };
}
