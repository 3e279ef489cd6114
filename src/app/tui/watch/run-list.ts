import { basename } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { watchFiles } from "../../../host/files/index.ts";
import { type OpenedRun, openRun } from "../../../host/recording/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import type { LogRecord } from "../../../pure/events/index.ts";
import { plainOf } from "../../terminal/index.ts";
import { runState, transcript } from "../account/index.ts";
import { followRun } from "./follow-run.ts";
import { damagedRun, type WatchedRun, watchedRun, withNews } from "./watched-run.ts";

interface Options {
  /** The directories of the runs, newest first. Called repeatedly. */
  readonly directories: () => readonly string[];
  /** Directories that change when a run is added. */
  readonly watched: readonly string[];
  /** Called for each change of each run, and when a run is found. */
  readonly onChange: (run: WatchedRun) => void;
}

export interface RunList {
  /** Newest first. */
  runs(): readonly WatchedRun[];
  /** Resolves when all present runs have been read. */
  readonly ready: Promise<void>;
  /** Rejects if the runs can no longer be read; otherwise never settles. */
  readonly failed: Promise<never>;
  close(): Promise<void>;
}

/** How often to check for new runs if the system sends no events. */
const LOOK_MS = 500;
const SEAL_MS = 100;
/** Only the text of a row is used, so any width will do. */
const WIDTH = 200;

/** A list of runs that follows the live ones. */
export function runList({ directories, watched, onChange }: Options): RunList {
  const known = new Map<string, WatchedRun>();
  const stop = new AbortController();
  const followers = new Set<Promise<void>>();
  let order: readonly string[] = [];
  let looking: Promise<void> | undefined;
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => (fail = reject));
  failed.catch(() => {}); // the caller handles it

  function learn(directory: string, run: WatchedRun): void {
    if (stop.signal.aborted) return;
    known.set(directory, run);
    onChange(run);
  }

  async function look(): Promise<void> {
    const found = directories();
    for (const directory of known.keys()) if (!found.includes(directory)) known.delete(directory);
    order = found;
    for (const directory of found) {
      if (stop.signal.aborted) return;
      if (!known.has(directory)) await open(directory);
    }
  }

  async function open(directory: string): Promise<void> {
    const run = await opened(directory);
    learn(directory, run === undefined ? damagedRun(basename(directory)) : watchedRun(run));
    if (run?.owner === undefined || stop.signal.aborted) return;
    const follower = follow(run).catch(fail);
    followers.add(follower);
    void follower.finally(() => followers.delete(follower));
  }

  async function follow(run: OpenedRun): Promise<void> {
    const state = runState();
    const account = transcript(state);
    let lastRow = "";
    const onRecords = (records: readonly LogRecord[]) => {
      for (const record of records) lastRow = lastText(account.push(record, WIDTH, performance.now())) || lastRow;
      const at = records[records.length - 1]?.at ?? run.manifest.startedAt;
      const before = known.get(run.directory);
      if (before !== undefined && !state.hasEnded()) learn(run.directory, withNews(before, state, { lastRow, at }));
    };
    try {
      await followRun(run, onRecords, stop.signal);
    } catch (error) {
      if (!(error instanceof HarnessError)) throw error; // without its agent, a run is listed but not followed
    }
    const after = await sealedRun(run.directory, stop.signal);
    if (after !== undefined) learn(run.directory, watchedRun(after));
  }

  function lookSoon(): void {
    if (stop.signal.aborted) return;
    looking ??= look()
      .catch(fail)
      .finally(() => (looking = undefined));
  }

  const watcher = watchFiles(watched, lookSoon, LOOK_MS);
  lookSoon();
  return {
    runs: () => order.flatMap((directory) => known.get(directory) ?? []),
    ready: looking ?? Promise.resolve(),
    failed,
    async close() {
      stop.abort();
      watcher.close();
      await looking;
      await Promise.all(followers);
    },
  };
}

/** Undefined if run.json cannot be read. */
async function opened(directory: string): Promise<OpenedRun | undefined> {
  try {
    return await openRun(directory);
  } catch (error) {
    if (error instanceof HarnessError) return undefined;
    throw error;
  }
}

/** Waits until the run is sealed, which happens shortly after its last record. */
async function sealedRun(directory: string, signal: AbortSignal): Promise<OpenedRun | undefined> {
  while (!signal.aborted) {
    const run = await opened(directory);
    if (run?.owner === undefined) return run;
    await pause(SEAL_MS, undefined, { signal }).catch(() => {});
  }
  return undefined;
}

function lastText(rows: readonly string[]): string {
  return plainOf(rows.findLast((row) => plainOf(row).trim() !== "") ?? "").trim();
}
