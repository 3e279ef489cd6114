import { setImmediate } from "node:timers/promises";

/** How long other work in the process waits at most. */
const HELD_MS = 12;

/**
 * With descriptors in hand, synchronous calls are both the safest and the fastest way through a tree, but they block the process. Call
 * `due()` after each entry, and await `take()` when it returns true.
 */
export function breathing(): { due(): boolean; take(): Promise<void> } {
  let since = performance.now();
  return {
    due: () => performance.now() - since > HELD_MS,
    async take() {
      await setImmediate();
      since = performance.now();
    },
  };
}
