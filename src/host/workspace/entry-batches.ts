import { closeSync } from "node:fs";
import { batchRing } from "./batch-ring.ts";
import type { Budget } from "./budget.ts";
import { type EntryReader, type EntryStep, fileEntry } from "./entry-reader.ts";
import { type FileBatch, foundIn } from "./file-batch.ts";
import type { Entry } from "./manifest.ts";
import type { Content, Objects } from "./objects.ts";

/** Entries in the order they come in, but not at once: files are read by several threads, batch by batch. */
export interface EntryBatches {
  /** A file. Its directory must stay open until it is released. */
  read(step: EntryStep): void;
  /** One of which all is known. */
  put(entry: Entry): void;
  /** Closes a directory when the files in it are read. Never throws. */
  release(this: void, fd: number): void;
  /** To be called at every step: what waits is bounded. */
  settle(): void;
  /** Returns when all were told. */
  finish(): void;
  close(): Promise<void>;
}

export interface EntryBatchesOptions {
  readonly budget: Budget;
  /** Looks closer at what is no plain file. */
  readonly entryAt: EntryReader;
  readonly tell: (entry: Entry) => void;
  readonly keep?: Objects | undefined;
}

/** So many entries, and so many directories, wait at most for the files between them. */
const MOST_ENTRIES = 1000;
const MOST_HELD = 24;

/** What belongs to a batch: files, and what comes between them; directories that nobody needs afterwards. */
interface Waiting {
  readonly entries: (Entry | EntryStep)[];
  readonly held: number[];
}

export function entryBatches({ budget, entryAt, tell, keep }: EntryBatchesOptions): EntryBatches {
  const ring = batchRing(done, { keeps: keep !== undefined });
  const handedOut: Waiting[] = [];
  let waiting: Waiting = { entries: [], held: [] };

  function handOut(): void {
    handedOut.push(waiting);
    waiting = { entries: [], held: [] };
    ring.handOut();
  }

  function done(batch: FileBatch): void {
    const { entries, held } = handedOut.shift() as Waiting;
    try {
      tellAll(batch, entries);
    } finally {
      for (const fd of held) closeSync(fd);
    }
  }

  function tellAll(batch: FileBatch, entries: readonly (Entry | EntryStep)[]): void {
    const foundAt = foundIn(batch);
    let file = 0;
    /** What lies together is kept together, and told then. */
    let run: { readonly entry: Entry; readonly content?: Content }[] = [];
    let from = 0;
    let to = 0;
    const endRun = (): void => {
      const kept = keep?.add(
        batch.bytes.subarray(from, to),
        run.map(({ content }) => content).filter((content) => content !== undefined),
      );
      let index = 0;
      for (const { entry, content } of run)
        tell(content !== undefined && kept?.[index++] === false ? { ...entry, unkept: "keep-budget" } : entry);
      run = [];
    };
    for (const waited of entries) {
      if (!("step" in waited)) {
        run.push({ entry: waited });
        continue;
      }
      const found = foundAt(file++);
      if (found !== undefined && budget.refuses(found.size) === undefined) {
        const { size, sha256 } = found;
        budget.spend(size);
        run.push({ entry: fileEntry(waited.path, found, size, sha256), content: { sha256, length: size } });
        to += size;
      } else {
        endRun();
        tell(entryAt(waited));
        to += found?.size ?? 0;
        from = to;
      }
    }
    endRun();
  }

  return {
    read(step) {
      waiting.entries.push(step);
      if (ring.add(typeof step.at === "string" ? step.at : "")) handOut();
    },
    put(entry) {
      if (waiting.entries.length === 0 && handedOut.length === 0) tell(entry);
      else waiting.entries.push(entry);
    },
    release: (fd) => void waiting.held.push(fd),
    settle() {
      if (waiting.entries.length > MOST_ENTRIES || waiting.held.length > MOST_HELD) handOut();
    },
    finish() {
      handOut();
      ring.flush();
    },
    async close() {
      await ring.close();
      for (const { held } of [...handedOut, waiting]) for (const fd of held) closeSync(fd);
    },
  };
}
