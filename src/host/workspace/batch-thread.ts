import type * as Crypto from "node:crypto";
import type * as Files from "node:fs";
import type * as Threads from "node:worker_threads";
import { Worker } from "node:worker_threads";
import { type FileBatch, readFiles } from "./file-batch.ts";

interface ThreadData {
  /** The first element counts the batches and is what a thread waits on; the second says that no more will come. */
  readonly signal: Int32Array;
  readonly batches: readonly FileBatch[];
}

/** A thread that reads batches. If it could not be started or was ended, other threads do its work. */
export interface BatchThread {
  end(): Promise<unknown>;
}

export function batchThread(data: ThreadData): BatchThread | undefined {
  try {
    // As text: in a bundle it does not have a file.
    const text = `(${work})(require("node:worker_threads"), require("node:fs"), require("node:crypto"), ${readFiles})`;
    const worker = new Worker(text, { eval: true, workerData: data, execArgv: [], env: {} });
    worker.on("error", () => {});
    worker.unref();
    return { end: () => worker.terminate() };
  } catch {
    return undefined;
  }
}

/** Runs as text, so it uses nothing from outside. Claims ready batches, starting after the last one it claimed. */
function work({ workerData }: typeof Threads, files: typeof Files, crypto: typeof Crypto, read: typeof readFiles): void {
  const { signal, batches } = workerData as ThreadData;
  let next = 0;
  while (Atomics.load(signal, 1) === 0) {
    const seen = Atomics.load(signal, 0);
    let tried = 0;
    for (; tried < batches.length; tried++) {
      const batch = batches[(next + tried) % batches.length] as FileBatch;
      if (Atomics.compareExchange(batch.head, 0, 1, 2) !== 1) continue;
      const names = Buffer.from(batch.names.buffer, 0, batch.head[2] as number).toString("utf8");
      read(batch, names.split("\0"), files, crypto);
      Atomics.store(batch.head, 0, 3);
      Atomics.notify(batch.head, 0);
      break;
    }
    next += tried + 1;
    if (tried === batches.length) Atomics.wait(signal, 0, seen);
  }
}
