import { renameSync, statSync, truncateSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Line, Stream } from "../../../pure/events/index.ts";
import { syncPaths, watchFiles } from "../../files/index.ts";
import type { RunPaths, Spool } from "../format/index.ts";
import type { Clock } from "./clock.ts";
import type { Recording } from "./recording.ts";

/** How much is recorded at a time: a line of a byte becomes a thousand bytes of records and events before they are on the disk. */
const SLICE = 32 * 1024;

/** How long is read before something else has its turn: a signal, a timeout, the agent's end. */
const TURN_MS = 20;

/** The agent's output, read while the agent writes it. */
export interface Reading {
  /** Records what has arrived, at once. */
  catchUp(): void;
  /**
   * Records what the files hold by now, to the last byte; nothing is read after it. A stream that grows even then, because somebody
   * whom we could not find writes on, is cut off: what was recorded is in the file, and what comes goes nowhere.
   */
  finish(): Promise<void>;
  stop(): void;
}

/** Records everything that arrives in the spools, in the order in which it is seen. Nothing is waited for where the caller says when to look. */
export function readAlong(
  { paths, spools }: { readonly paths: RunPaths; readonly spools: readonly Spool[] },
  log: Recording,
  clock: Clock,
  on: { heard(): void; read(stream: Stream, lines: readonly Line[]): void; failed(error: unknown): void },
  isCalled = false,
): Reading {
  const watcher = isCalled ? undefined : watchFiles([paths.stdout, paths.stderr], drain);
  const given = new Map<Spool, number>();
  let isScheduled = false;
  let isOver = false;

  function record(spool: Spool, bytes: Uint8Array): void {
    given.set(spool, (given.get(spool) ?? 0) + bytes.length);
    for (let start = 0; start < bytes.length; start += SLICE) {
      const slice = bytes.subarray(start, start + SLICE);
      on.read(spool.stream, log.bytes(spool.stream, slice, clock.now(), spool.masked));
    }
  }

  /** False where nothing had arrived. What is held back, because a secret may have begun in it, has arrived. */
  function readOnce(): boolean {
    let any = false;
    for (const spool of spools) {
      any = spool.hasMore() || any;
      const bytes = spool.read();
      const truncation = spool.truncation();
      if (truncation !== undefined) {
        const message = `The agent truncated its own ${spool.stream}: what it wrote before byte ${truncation.offset} is lost.`;
        log.fact({ type: "fact", at: clock.now(), body: { type: "error", code: "raw-truncated", message }, truncation });
        any = true; // what it wrote since is still to be read
      }
      record(spool, bytes);
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
  }

  function sizeOf(spool: Spool): number {
    return statSync(paths[spool.stream], { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY;
  }

  /** Puts a copy of what was recorded in the place of the file that somebody still has open. */
  function cutOff(spool: Spool): void {
    const path = paths[spool.stream];
    spool.restore(`${path}.new`);
    truncateSync(`${path}.new`, (given.get(spool) ?? 0) - (spool.truncations.at(-1)?.base ?? 0));
    renameSync(`${path}.new`, path);
    const message = `Something that the agent started could not be found and still writes to its ${spool.stream}; that is not recorded any more.`;
    log.fact({ type: "fact", at: clock.now(), body: { type: "warning", code: "escaped", message } });
  }

  return {
    stop,
    catchUp() {
      while (readOnce());
    },
    async finish() {
      stop();
      const sizes = new Map(spools.map((spool) => [spool, sizeOf(spool)])); // only that was written by the agent while it lived
      const lengthOf = (spool: Spool) => (sizes.get(spool) ?? 0) + (spool.truncations.at(-1)?.base ?? 0);
      const isRead = (spool: Spool) => (given.get(spool) ?? 0) >= lengthOf(spool) || !spool.hasMore();
      while (readOnce() && !spools.every(isRead)) await nextTurn();
      for (const spool of spools) record(spool, spool.rest());
      // The seal needs it anyway; and whoever still writes shows himself meanwhile.
      await Promise.all(spools.map((spool) => spool.sync()));
      // Everything of the agent is dead: whoever has written since, or writes now, could not be found.
      const written = spools.filter((spool) => spool.hasMore() || (given.get(spool) ?? 0) > lengthOf(spool));
      for (const spool of written) cutOff(spool);
      await syncPaths(written.map(({ stream }) => paths[stream]));
    },
  };
}
