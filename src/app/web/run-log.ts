import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { lockOwner } from "../../host/files/index.ts";
import { agentOfRun, deriveRun, type RunManifest } from "../../host/recording/index.ts";
import { errorWords } from "../../pure/base/index.ts";
import { type LogState, timeline, type UsagePoint, usageCurve } from "../../pure/timeline/index.ts";
import { log } from "../../pure/views/index.ts";
import { type LogFiles, logFiles } from "./log-files.ts";

/** The `log` view of a run. It is derived once from the start; every event derived so far can be read in any order. */
export interface RunLog {
  readonly state: LogState;
  readonly files: LogFiles;
  /** Usage over time so far. */
  usage(): readonly UsagePoint[];
  /** Calls back when there are more events, or no more will come. Returns a function that stops it. */
  onGrowth(listener: () => void): () => void;
  /** Resolves when there are this many events, or no more will come. */
  reached(count: number): Promise<void>;
  close(): void;
}

/** Other requests get a turn after this time, and new events become readable. */
const TURN_MS = 8;
const FLUSH_MS = 60;
/** A page that was just opened sends many requests in a row; for this long they come first. */
const BEGINNING_MS = 2000;
const PAUSE_MS = 25;

/** Starts immediately. The derived events are kept in files in this directory. */
export function openRunLog(manifest: RunManifest, directory: string, cache: string): RunLog {
  const files = logFiles(cache);
  const rows = timeline();
  const used = usageCurve();
  const listeners = new Set<() => void>();
  let done = false;
  let isClosed = false;
  let problem: string | null = null;

  function notify(): void {
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
        notify();
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
      notify();
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
      notify();
    },
  };
}
