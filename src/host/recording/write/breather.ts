import { setImmediate as nextTurn } from "node:timers/promises";

/** How long the rest of the process may wait, so that a question about the owner of a lock is answered in time. */
const TURN_MS = 20;

/** Await it at intervals in long work: it lets other work run when its turn is due. */
export function breather(): () => Promise<void> | undefined {
  let last = performance.now();
  return () => {
    if (performance.now() - last < TURN_MS) return undefined;
    return nextTurn().then(() => {
      last = performance.now();
    });
  };
}
