import * as crypto from "node:crypto";
import * as files from "node:fs";
import { availableParallelism } from "node:os";
import { type BatchThread, batchThread } from "./batch-thread.ts";
import { type FileBatch, fileBatch, HEAD, MOST_FILES, MOST_NAMES, readFiles, STATE } from "./file-batch.ts";
import { PIECE } from "./read-regular.ts";

/** Reads files on several processors and returns the results in the order of the requests. */
export interface BatchRing {
  /** True: the batch is full and must be handed out before more is added. */
  add(path: string): boolean;
  handOut(): void;
  /** Returns when every batch is back. */
  flush(): void;
  close(): Promise<void>;
}

/** This many files are read without threads: for fewer, starting a thread does not pay off. */
export const ALONE = 2000;

const MOST_THREADS = 3;

/** Longer paths are left to the careful reader. UTF-8 needs at most this many bytes for one. */
const LONGEST = 4096;
const MOST_OF_ONE = 3 * LONGEST + 1;

/** How long to wait for a thread: a dead one never answers. */
const PATIENCE_MS = 10_000;

/** Reused: allocating memory for each snapshot would cause most of the garbage collection. */
const spare: FileBatch[] = [];

export interface BatchRingOptions {
  /** A returned batch also holds the contents, one after the other. */
  readonly keeps: boolean;
  readonly start?: typeof batchThread;
  readonly patience?: number;
}

/** `done` must not use the batch after it returns. */
export function batchRing(
  done: (batch: FileBatch) => void,
  { keeps, start = batchThread, patience = PATIENCE_MS }: BatchRingOptions,
): BatchRing {
  let batches: FileBatch[] = [spare.pop() ?? fileBatch()];
  let threads: readonly BatchThread[] = [];
  const signal = new Int32Array(new SharedArrayBuffer(8));
  const pathsOf = new WeakMap<FileBatch, readonly string[]>();
  /** How many batches were handed out, and how many came back. */
  let out = 0;
  let back = 0;
  /** How many files were read without threads. */
  let alone = 0;
  /** How many files a batch takes. */
  let most = MOST_FILES;
  let paths: string[] = [];
  let names = 0;

  const batchAt = (turn: number): FileBatch => batches[turn % batches.length] as FileBatch;

  function handOut(): void {
    const batch = batchAt(out++);
    batch.head[HEAD.files] = paths.length;
    batch.head[HEAD.names] = Buffer.from(batch.names.buffer).write(paths.join("\0"));
    batch.head[HEAD.keeps] = keeps ? 1 : 0;
    pathsOf.set(batch, paths);
    alone += paths.length;
    paths = [];
    names = 0;
    if (threads.length === 0 && alone > ALONE) bringHelp();
    Atomics.store(batch.head, HEAD.state, STATE.ready);
    wake();
    while (out - back >= batches.length) collect();
  }

  /** The batch being handed out is the only one, and stays the first. */
  function bringHelp(): void {
    alone = Number.NEGATIVE_INFINITY;
    const count = Math.min(availableParallelism() - 1, MOST_THREADS);
    if (count < 1) return;
    const more = [...batches, ...Array.from({ length: 2 * count + 1 }, () => spare.pop() ?? fileBatch())];
    threads = Array.from({ length: count }, () => start({ signal, batches: more })).filter((thread) => thread !== undefined);
    if (threads.length === 0) return;
    batches = more;
    back = 0;
    out = 1;
  }

  function wake(): void {
    Atomics.add(signal, 0, 1);
    Atomics.notify(signal, 0);
  }

  /** Waits for the oldest batch. Instead of idling, reads batches that no thread has claimed. */
  function collect(): void {
    const oldest = batchAt(back);
    for (let turn = back; turn < out && Atomics.load(oldest.head, HEAD.state) !== STATE.done; turn++) readUnclaimed(batchAt(turn));
    const isLost = Atomics.wait(oldest.head, HEAD.state, STATE.claimed, patience) === "timed-out";
    const batch = isLost ? inPlaceOf(oldest) : oldest;
    done(batch);
    most = fitting(batch) ?? most;
    batch.head[HEAD.state] = STATE.filling;
    back++;
  }

  function readUnclaimed(batch: FileBatch): void {
    if (Atomics.compareExchange(batch.head, HEAD.state, STATE.ready, STATE.claimed) !== STATE.ready) return;
    readFiles(batch, pathsOf.get(batch) ?? [], files, crypto);
    batch.head[HEAD.state] = STATE.done;
  }

  /** The thread that claimed the batch may still write to it, so it is never used again. */
  function inPlaceOf(lost: FileBatch): FileBatch {
    const batch = fileBatch();
    batch.head.set(lost.head);
    readFiles(batch, pathsOf.get(lost) ?? [], files, crypto);
    batches[back % batches.length] = batch;
    return batch;
  }

  return {
    add(path) {
      paths.push(path.length > LONGEST ? "" : path);
      names += 3 * path.length + 1;
      return paths.length >= most || names + MOST_OF_ONE > MOST_NAMES;
    },
    handOut,
    flush() {
      while (back < out) collect();
    },
    async close() {
      Atomics.store(signal, 1, 1);
      wake();
      await Promise.all(threads.map((thread) => thread.end()));
      for (const batch of batches) {
        batch.head[HEAD.state] = STATE.filling;
        if (spare.length < 2 * MOST_THREADS + 2) spare.push(batch);
      }
      batches = [];
    },
  };
}

/** How many files like these fit with their contents. */
function fitting({ head, numbers }: FileBatch): number | undefined {
  if (head[HEAD.keeps] === 0) return MOST_FILES;
  let files = 0;
  let bytes = 0;
  for (let file = 0; file < (head[HEAD.files] ?? 0); file++) {
    const size = numbers[5 * file] ?? -1;
    if (size >= 0) files++;
    bytes += Math.max(size, 0);
  }
  return bytes === 0 ? undefined : Math.min(MOST_FILES, Math.max(8, Math.floor((PIECE * files) / bytes)));
}
