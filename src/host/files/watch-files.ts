import { type FSWatcher, watch } from "node:fs";

/** How long news may take where the system does not tell: a network file system, or no more watches to be had. */
const POLL_MS = 100;

/** Calls back soon after one of the files has grown, and now and then in any case. */
export function watchFiles(paths: readonly string[], onChange: () => void, pollMs: number = POLL_MS): { close(): void } {
  const watchers: FSWatcher[] = [];
  for (const path of paths) {
    try {
      watchers.push(watch(path, onChange).on("error", () => {})); // polling goes on
    } catch {
      // No watch to be had: polling will do.
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
