import type { RunManifest } from "../../host/recording/index.ts";
import { openRunLog, type RunLog } from "./run-log.ts";

/** Whoever looks at more runs than this at a time waits for the first ones to be derived again. */
const MOST = 8;

export interface RunLogs {
  of(manifest: RunManifest, directory: string): RunLog;
  close(): void;
}

/** The logs of the runs that were looked at last. */
export function runLogs(cache: string): RunLogs {
  const kept = new Map<string, Kept>();

  function forget(directory: string): void {
    kept.get(directory)?.log.close();
    kept.delete(directory);
  }

  return {
    of(manifest, directory) {
      const known = kept.get(directory);
      if (known !== undefined && isOutdated(known, manifest)) forget(directory);
      const isSealed = manifest.sealed !== undefined;
      const opened = kept.get(directory) ?? { log: openRunLog(manifest, directory, cache), isSealed };
      kept.delete(directory);
      kept.set(directory, opened); // the last one looked at is the last to go
      for (const oldest of kept.keys()) if (kept.size > MOST) forget(oldest);
      return opened.log;
    },
    close() {
      for (const directory of kept.keys()) forget(directory);
    },
  };
}

interface Kept {
  readonly log: RunLog;
  /** Whether the run was finished when it was opened. */
  readonly isSealed: boolean;
}

/** Somebody has completed the run after we had come to the end of what was there. */
function isOutdated({ log, isSealed }: Kept, { sealed }: RunManifest): boolean {
  return !isSealed && sealed !== undefined && log.state.done && log.state.count !== sealed.events;
}
