import { type FSWatcher, watch } from "node:fs";

/** How late a change may be noticed if the system does not report it: on a network file system, or when no watches are left. */
const POLL_MS = 100;

/** Calls back soon after one of the files has grown, and at regular intervals in any case. */
export function watchFiles(paths: readonly string[], onChange: () => void, pollMs: number = POLL_MS): { close(): void } {
  const watchers: FSWatcher[] = [];
  for (const path of paths) {
    try {
      watchers.push(watch(path, onChange).on("error", () => {})); // polling continues
    } catch {
      // No watch is available; polling is enough.
    }
  }
  const timer = setInterval(onChange, pollMs);
  return {
    close() {
      clearInterval(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}
