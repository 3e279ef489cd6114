import { setImmediate } from "node:timers/promises";

/** How long other work waits at most. */
const HELD_MS = 12;

/**
 * Descriptors in hand, synchronous calls are both the safest and the fastest way through a tree; but others share the process. Ask
 * `due()` after each entry, and await `take()` where it says so.
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
