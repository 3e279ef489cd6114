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
  /** The directories of the runs, newest first; asked again and again. */
  readonly directories: () => readonly string[];
  /** What tells by changing that there may be another one. */
  readonly watched: readonly string[];
  /** Told of each change of each run, also of how it is found. */
  readonly onChange: (run: WatchedRun) => void;
}

export interface RunList {
  /** Newest first. */
  runs(): readonly WatchedRun[];
  /** Resolves when all runs that are there now have been looked at. */
  readonly ready: Promise<void>;
  /** Rejects where the runs cannot be looked at any more; otherwise stays open. */
  readonly failed: Promise<never>;
  close(): Promise<void>;
}

/** New runs are found so often where the system does not tell of them. */
const LOOK_MS = 500;
/** How often it is asked whether a run is sealed. */
const SEAL_MS = 100;
/** Rows are only told in words here; their width matters to nobody. */
const WIDTH = 200;

/** What is known of several runs, kept up to date while they go on. */
export function runList({ directories, watched, onChange }: Options): RunList {
  const known = new Map<string, WatchedRun>();
  const stop = new AbortController();
  const followers = new Set<Promise<void>>();
  let order: readonly string[] = [];
  let looking: Promise<void> | undefined;
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => (fail = reject));
  failed.catch(() => {}); // whoever waits for it is told

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
    const told = (records: readonly LogRecord[]) => {
      for (const record of records) lastRow = lastTold(account.push(record, WIDTH, performance.now())) || lastRow;
      const at = records[records.length - 1]?.at ?? run.manifest.startedAt;
      const before = known.get(run.directory);
      if (before !== undefined && !state.hasEnded()) learn(run.directory, withNews(before, state, { lastRow, at }));
    };
    try {
      await followRun(run, told, stop.signal);
    } catch (error) {
      if (!(error instanceof HarnessError)) throw error; // a run whose agent is not at hand is only not told of
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

/** Undefined where its description cannot be read. */
async function opened(directory: string): Promise<OpenedRun | undefined> {
  try {
    return await openRun(directory);
  } catch (error) {
    if (error instanceof HarnessError) return undefined;
    throw error;
  }
}

/** As it is when nobody writes it any more: between its last record and its seal there is a moment. */
async function sealedRun(directory: string, signal: AbortSignal): Promise<OpenedRun | undefined> {
  while (!signal.aborted) {
    const run = await opened(directory);
    if (run?.owner === undefined) return run;
    await pause(SEAL_MS, undefined, { signal }).catch(() => {});
  }
  return undefined;
}

function lastTold(rows: readonly string[]): string {
  return plainOf(rows.findLast((row) => plainOf(row).trim() !== "") ?? "").trim();
}
