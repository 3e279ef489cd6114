import { closeSync } from "node:fs";
import { batchRing } from "./batch-ring.ts";
import type { Budget } from "./budget.ts";
import { type EntryReader, type EntryStep, fileEntry } from "./entry-reader.ts";
import { type FileBatch, foundIn } from "./file-batch.ts";
import type { Entry } from "./manifest.ts";
import type { Content, Objects } from "./objects.ts";

/** Passes entries on in their order, but delayed: threads read the files in batches. */
export interface EntryBatches {
  /** Adds a file. Its directory must stay open until it is released. */
  read(step: EntryStep): void;
  /** Adds an entry that is already complete. */
  put(entry: Entry): void;
  /** Closes a directory when the files in it have been read. Never throws. */
  release(this: void, fd: number): void;
  /** Call at every step: it limits how much waits. */
  settle(): void;
  /** Returns when every entry was passed on. */
  finish(): void;
  close(): Promise<void>;
}

export interface EntryBatchesOptions {
  readonly budget: Budget;
  /** Reads whatever is not a plain, quiet file. */
  readonly entryAt: EntryReader;
  readonly onEntry: (entry: Entry) => void;
  readonly keep?: Objects | undefined;
  readonly onTime?: OnTime | undefined;
}

/** Gets the time at which an inode last changed: unlike `mtime`, a program cannot set it. */
export type OnTime = (path: string, ctime: number) => void;

/** How many entries, and how many directories, may wait for the files between them. */
const MOST_ENTRIES = 1000;
const MOST_HELD = 24;

/** What belongs to a batch: its files, the entries between them, and the directories to close afterwards. */
interface Waiting {
  readonly entries: (Entry | EntryStep)[];
  readonly held: number[];
}

export function entryBatches({ budget, entryAt, onEntry, keep, onTime }: EntryBatchesOptions): EntryBatches {
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
      passOn(batch, entries);
    } finally {
      for (const fd of held) closeSync(fd);
    }
  }

  function passOn(batch: FileBatch, entries: readonly (Entry | EntryStep)[]): void {
    const foundAt = foundIn(batch);
    let file = 0;
    /** Adjacent contents are stored in one call and passed on after that. */
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
        onEntry(content !== undefined && kept?.[index++] === false ? { ...entry, unkept: "keep-budget" } : entry);
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
        onTime?.(waited.path, found.ctimeMs);
        run.push({ entry: fileEntry(waited.path, found, size, sha256), content: { sha256, length: size } });
        to += size;
      } else {
        endRun();
        onEntry(entryAt(waited));
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
      if (waiting.entries.length === 0 && handedOut.length === 0) onEntry(entry);
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
