import { renameSync, statSync, truncateSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Line, Stream } from "../../../pure/events/index.ts";
import { syncPaths, watchFiles } from "../../files/index.ts";
import { orphansIn, uptime, writersOf } from "../../process/index.ts";
import { type FindSecrets, maskFact } from "../../secrets/index.ts";
import type { RunManifest, RunPaths, Spool } from "../format/index.ts";
import type { Clock } from "./clock.ts";
import type { Recording } from "./recording.ts";

/** How much is recorded at a time: a one-byte line becomes a thousand bytes of records and events. */
const SLICE = 32 * 1024;

/** How long to read before other work gets its turn: a signal, a timeout, the agent's end. */
const TURN_MS = 20;

/** How long lines wait for the rest of a secret that may have begun in them. */
const PATIENCE_MS = 1000;

/** The agent's output, read while the agent writes it. */
export interface Reading {
  /** Records immediately what has arrived. */
  catchUp(): void;
  /**
   * Records everything in the files up to the last byte; nothing is read after that. If a process that we could not end still writes to a
   * stream, or could, it is cut off: the file is a copy of what was recorded, and the rest goes nowhere.
   */
  finish(): Promise<void>;
  stop(): void;
}

interface Opened {
  readonly paths: RunPaths;
  readonly spools: readonly Spool[];
  readonly find: FindSecrets;
  readonly manifest: Pick<RunManifest, "cwd">;
}

/** Records what arrives in the spools, in the order in which it is seen. With `isCalled`, the caller says when to look. */
export function readAlong(
  { paths, spools, find, manifest }: Opened,
  log: Recording,
  clock: Clock,
  on: { heard(): void; read(stream: Stream, lines: readonly Line[]): void; failed(error: unknown): void },
  isCalled = false,
): Reading {
  const watcher = isCalled ? undefined : watchFiles([paths.stdout, paths.stderr], drain);
  const since = isCalled ? undefined : uptime(); // older processes cannot have inherited the files
  const given = new Map<Spool, number>();
  const timers = new Map<Spool, { readonly waiting: number; readonly timer: NodeJS.Timeout }>();
  let isScheduled = false;
  let isOver = false;

  function record(spool: Spool, bytes: Uint8Array): void {
    given.set(spool, (given.get(spool) ?? 0) + bytes.length);
    for (let start = 0; start < bytes.length; start += SLICE) {
      const slice = bytes.subarray(start, start + SLICE);
      on.read(spool.stream, log.bytes(spool.stream, slice, clock.now(), spool.masked));
    }
  }

  /** What is held back for the rest of a secret is recorded without it if it does not come. */
  function wait(spool: Spool): void {
    const { waiting } = spool;
    const known = timers.get(spool);
    if (isOver || waiting === known?.waiting) return;
    clearTimeout(known?.timer);
    timers.delete(spool);
    if (waiting === undefined) return;
    const timer = setTimeout(() => {
      timers.delete(spool);
      try {
        record(spool, spool.giveUp());
      } catch (error) {
        stop();
        on.failed(error);
      }
    }, PATIENCE_MS);
    timers.set(spool, { waiting, timer: timer.unref() });
  }

  /** False if nothing arrived. Bytes held back for a possible secret count as arrived. */
  function readOnce(): boolean {
    let any = false;
    for (const spool of spools) {
      any = spool.hasMore() || any;
      const bytes = spool.read();
      const truncation = spool.truncation();
      if (truncation !== undefined) {
        const message = `The agent truncated its own ${spool.stream}: what it wrote before byte ${truncation.offset} is lost.`;
        log.fact({ type: "fact", at: clock.now(), body: maskFact({ type: "error", code: "raw-truncated", message }, find), truncation });
        any = true; // what it wrote since is still unread
      }
      record(spool, bytes);
      wait(spool);
    }
    if (any) on.heard();
    return any;
  }

  function drain(): void {
    if (isOver || isScheduled) return;
    try {
      const begin = performance.now();
      while (performance.now() - begin < TURN_MS) if (!readOnce()) return;
    } catch (error) {
      stop();
      on.failed(error);
      return;
    }
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      drain();
    });
  }

  function stop(): void {
    isOver = true;
    watcher?.close();
    for (const { timer } of timers.values()) clearTimeout(timer);
  }

  function sizeOf(spool: Spool): number {
    return statSync(paths[spool.stream], { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY;
  }

  /** Replaces the file, which another process still has open, with a copy of what was recorded. */
  function cutOff(spool: Spool, writers: readonly string[]): void {
    const path = paths[spool.stream];
    spool.restore(`${path}.new`);
    truncateSync(`${path}.new`, (given.get(spool) ?? 0) - (spool.truncations.at(-1)?.base ?? 0));
    renameSync(`${path}.new`, path);
    const who =
      writers.length === 0 ? "A process that the agent started could not be found and" : `${writers.join(", ")} survived the agent and`;
    const what = writers.length === 0 ? `still writes to its ${spool.stream}` : `could still write to its ${spool.stream}`;
    const message = `${who} ${what}; that output is no longer recorded.`;
    log.fact({ type: "fact", at: clock.now(), body: maskFact({ type: "warning", code: "escaped", message }, find) });
  }

  /** A process that cleared its environment and took its own session cannot be found by the run's cookie. */
  function nameLeftovers(known: ReadonlySet<string>, since: number): void {
    const left = orphansIn(manifest.cwd, since).filter((name) => !known.has(name));
    if (left.length === 0) return;
    const message = `${left.join(", ")} started during the run and still works in its directory: the agent may have left it.`;
    log.fact({ type: "fact", at: clock.now(), body: maskFact({ type: "warning", code: "possible-escape", message }, find) });
  }

  return {
    stop,
    catchUp() {
      while (readOnce());
    },
    async finish() {
      stop();
      const sizes = new Map(spools.map((spool) => [spool, sizeOf(spool)])); // written while the agent was alive
      const lengthOf = (spool: Spool) => (sizes.get(spool) ?? 0) + (spool.truncations.at(-1)?.base ?? 0);
      const isRead = (spool: Spool) => (given.get(spool) ?? 0) >= lengthOf(spool) || !spool.hasMore();
      while (readOnce() && !spools.every(isRead)) await nextTurn();
      for (const spool of spools) record(spool, spool.rest());
      // The seal needs the sync anyway, and a process that still writes shows up meanwhile.
      await Promise.all(spools.map((spool) => spool.sync()));
      // All known processes of the agent are dead: another process wrote what came since, or may write later.
      const held = spools.map((spool) => ({ spool, writers: since === undefined ? [] : writersOf(paths[spool.stream], since) }));
      const isWritten = (spool: Spool) => spool.hasMore() || (given.get(spool) ?? 0) > lengthOf(spool);
      const open = held.filter(({ spool, writers }) => writers.length > 0 || isWritten(spool));
      for (const { spool, writers } of open) cutOff(spool, writers);
      if (since !== undefined) nameLeftovers(new Set(held.flatMap(({ writers }) => writers)), since);
      await syncPaths(open.map(({ spool }) => paths[spool.stream]));
    },
  };
}
