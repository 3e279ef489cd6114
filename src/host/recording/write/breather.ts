import { setImmediate as nextTurn } from "node:timers/promises";

/** How long the rest of the process may wait: whoever asks for the owner of a lock is answered in time. */
const TURN_MS = 20;

/** To be awaited now and then in long work: lets others have their turn, if it is time for that. */
export function breather(): () => Promise<void> | undefined {
  let last = performance.now();
  return () => {
    if (performance.now() - last < TURN_MS) return undefined;
    return nextTurn().then(() => {
      last = performance.now();
    });
  };
}
