import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { lockOwner } from "../../host/files/index.ts";
import { agentOfRun, deriveRun, type RunManifest } from "../../host/recording/index.ts";
import { errorWords } from "../../pure/base/index.ts";
import { type LogState, timeline, type UsagePoint, usageCurve } from "../../pure/timeline/index.ts";
import { log } from "../../pure/views/index.ts";
import { type LogFiles, logFiles } from "./log-files.ts";

/** The `log` view of a run, derived once, from its beginning, and readable from anywhere as far as it has come. */
export interface RunLog {
  readonly state: LogState;
  readonly files: LogFiles;
  /** What had been used when, as far as it has come. */
  usage(): readonly UsagePoint[];
  /** Called when there is more, or it is over; answers how to stop it. */
  onGrowth(listener: () => void): () => void;
  /** Resolves when there are so many events, or there will be no more. */
  reached(count: number): Promise<void>;
  close(): void;
}

/** How long others wait for their turn, and how long events wait to be readable. */
const TURN_MS = 8;
const FLUSH_MS = 60;
/** Whoever has just opened the page asks for many things one after the other: for so long it comes first. */
const BEGINNING_MS = 2000;
const PAUSE_MS = 25;

/** Starts at once. The directory is where what was derived is kept meanwhile. */
export function openRunLog(manifest: RunManifest, directory: string, cache: string): RunLog {
  const files = logFiles(cache);
  const rows = timeline();
  const used = usageCurve();
  const listeners = new Set<() => void>();
  let done = false;
  let isClosed = false;
  let problem: string | null = null;

  function tell(): void {
    for (const listener of listeners) listener();
  }

  async function derive(): Promise<void> {
    const agent = await agentOfRun(manifest);
    const isLive = manifest.sealed === undefined ? async () => !isClosed && (await lockOwner(directory)) !== undefined : undefined;
    const begun = performance.now();
    let turn = begun;
    let flushed = turn;
    for await (const records of deriveRun(manifest, directory, agent, log, { ...(isLive && { isLive }) })) {
      for (const record of records) {
        files.add(JSON.stringify(record), (bytes) => rows.row(record, bytes));
        used.see(record);
      }
      const now = performance.now();
      if (isLive === undefined && now - turn < TURN_MS) continue;
      if (isLive !== undefined || now - flushed > FLUSH_MS || files.count === 0) {
        files.flush();
        flushed = now;
        tell();
      }
      await (now - begun < BEGINNING_MS ? pause(PAUSE_MS) : nextTurn());
      if (isClosed) return;
      turn = performance.now();
    }
  }

  void derive()
    .then(() => !isClosed && files.flush())
    .catch((error: unknown) => (problem = errorWords(error)))
    .finally(() => {
      done = true;
      tell();
    });

  return {
    get state() {
      return { count: files.count, done, problem, lanes: rows.lanes };
    },
    files,
    usage: () => used.points(),
    onGrowth(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    reached: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (!done && files.count < count) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        look();
      }),
    close() {
      isClosed = true;
      files.close();
      done = true;
      tell();
    },
  };
}
