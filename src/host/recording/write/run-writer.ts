import { dirname } from "node:path";
import { errorWords, HarnessError } from "../../../pure/base/index.ts";
import type { Event, FactBody } from "../../../pure/events/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import { syncPaths, writeAtomically } from "../../files/index.ts";
import { maskFact } from "../../secrets/index.ts";
import { infoOf } from "../derive/index.ts";
import { recordChain, type Seal, type StoredFact } from "../format/index.ts";
import type { Clock } from "./clock.ts";
import { completeRun } from "./complete-run.ts";
import { isOutside } from "./kept-views.ts";
import { mendView } from "./mend-view.ts";
import { appendedFiles, type Recording, recording } from "./recording.ts";
import { jsonText, lostFiles, type OpenDirectory, restore } from "./run-directory.ts";
import { sealRecording } from "./seal-recording.ts";
import { metaOf } from "./seal-run.ts";
import type { Ended } from "./supervise-agent.ts";
import type { Witness } from "./witness.ts";

/** Writes a run to its seal, wherever its bytes come from. */
export interface RunWriter {
  readonly log: Recording;
  /** Says beside the session log that it has begun. */
  begin(): void;
  /** Records a fact, masked, as of now. */
  readonly record: (body: FactBody) => StoredFact;
  /** To be called every second: what was written so far survives a power cut, and is still where it belongs. */
  beat(): void;
  /** Our log cannot be written. The first reason counts. */
  readonly fail: (error: unknown) => void;
  readonly failure: HarnessError | undefined;
  /** Seals it, after `last` has recorded what is left; where the log broke, from what is in the files. The caller looks at `failure`. */
  seal(ended: Pick<Ended, "exit" | "leftovers">, last: () => Promise<void>): Promise<Seal>;
  /** Closes everything, and lets go of the run. */
  release(): Promise<void>;
}

/** `watch` sees every event after it is on its way to the disk; `failed` hears of every failure of the log. */
export function runWriter(
  open: OpenDirectory,
  agent: Agent,
  clock: Clock,
  on: { readonly watch: (events: readonly Event[]) => void; readonly failed: () => void },
  witness?: Witness,
): RunWriter {
  const { paths, session, manifest, prompt, spools, files } = open;
  const everyFile = [...spools, ...appendedFiles(files)];
  /** What was written before the start, and the names of it all: with the first beat it survives a power cut, too. */
  const startFiles = [paths.manifest, paths.prompt, session.meta, paths.directory, dirname(paths.directory), dirname(session.meta)];
  const chain = recordChain();
  const log = recording(agent, infoOf(manifest, prompt.text), chain, files, on.watch);
  let failure: HarnessError | undefined;
  let loss: StoredFact | undefined;
  let isSyncing = false;
  let isStartSynced = false;
  let isClosed = false;

  function begin(): void {
    try {
      writeAtomically(session.meta, jsonText(metaOf(manifest, prompt.text)), { syncedLater: true });
    } catch (error) {
      fail(error);
    }
  }

  function record(body: FactBody): StoredFact {
    const fact = { type: "fact", at: clock.now(), body: maskFact(body, open.find) } as const;
    try {
      if (failure === undefined) log.fact(fact);
    } catch (error) {
      fail(error);
    }
    return fact;
  }

  function beat(): void {
    lookForFiles();
    if (isSyncing) return; // a slow disk
    isSyncing = true;
    const isFirst = !isStartSynced;
    isStartSynced = true;
    void Promise.all([...everyFile.map((file) => file.sync()), ...(isFirst ? [syncPaths(startFiles)] : [])])
      .catch(fail)
      .finally(() => {
        isSyncing = false;
      });
  }

  function lookForFiles(): void {
    if (loss !== undefined || lostFiles(open).length === 0) return;
    const message = `Files of the run were deleted from ${paths.directory} while they were written.`;
    loss = record({ type: "error", code: "evidence-lost", message });
    fail(new HarnessError("log", `${message} What was still open is restored.`));
  }

  function fail(error: unknown): void {
    failure ??= error instanceof HarnessError ? error : failureOf(error);
    on.failed();
  }

  async function seal(ended: Pick<Ended, "exit" | "leftovers">, last: () => Promise<void>): Promise<Seal> {
    const { exit } = ended;
    try {
      lookForFiles();
      await last();
      if (failure === undefined) return await sealed(ended);
    } catch (error) {
      fail(error);
    }
    return salvaged(loss === undefined ? { ...ended, exit: { ...exit, stopped: exit.stopped ?? "log" } } : ended);
  }

  async function sealed(ended: Pick<Ended, "exit" | "leftovers">): Promise<Seal> {
    const seal = await sealRecording(open, log, chain, clock, ended, witness);
    const run = { manifest, directory: paths.directory, agent };
    for (const { kept, file } of files.views.filter(({ kept }) => isOutside(kept))) {
      const told = seal.files[kept.file];
      if (told !== undefined) await mendView(kept.view, file.path, told, run);
    }
    return seal;
  }

  /** The log broke: from what the agent left in its files the rest is made as after a crash, with the space kept for that. */
  async function salvaged({ exit, leftovers }: Pick<Ended, "exit" | "leftovers">): Promise<Seal> {
    log.tellEnd(exit);
    try {
      open.reserve.free();
      if (loss !== undefined) restore(open, loss);
      close(); // there may be no descriptors left for others
      const { type: _, ...how } = exit;
      return await completeRun({ paths, session, manifest: { ...manifest, ended: how }, agent, leftovers });
    } catch (error) {
      throw failure ?? error; // what broke first is what to tell
    }
  }

  function close(): void {
    if (isClosed) return;
    isClosed = true;
    for (const file of [...everyFile, files.index]) file.close();
  }

  return {
    log,
    begin,
    record,
    beat,
    fail,
    seal,
    get failure() {
      return failure;
    },
    async release() {
      close();
      open.reserve.free();
      await open.lock.release();
    },
  };
}

function failureOf(error: unknown): HarnessError {
  const words = errorWords(error);
  return new HarnessError("log", `The run could not be recorded: ${words}.`, { cause: error });
}
