import type { RunManifest } from "../../host/recording/index.ts";
import { openRunLog, type RunLog } from "./run-log.ts";

/** If more runs than this are open, the oldest must be derived again. */
const MOST = 8;

export interface RunLogs {
  of(manifest: RunManifest, directory: string): RunLog;
  close(): void;
}

/** The logs of the most recently opened runs. */
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
      kept.set(directory, opened); // most recently used last
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
  readonly isSealed: boolean;
}

/** Another process completed the run after we had read everything. */
function isOutdated({ log, isSealed }: Kept, { sealed }: RunManifest): boolean {
  return !isSealed && sealed !== undefined && log.state.done && log.state.count !== sealed.events;
}
