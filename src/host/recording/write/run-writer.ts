import { dirname } from "node:path";
import { codeOf, errorWords, HarnessError } from "../../../pure/base/index.ts";
import type { Event, FactBody } from "../../../pure/events/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import { syncPaths, writeAtomically } from "../../files/index.ts";
import { maskFact } from "../../secrets/index.ts";
import { recorded } from "../../sink/index.ts";
import { infoOf } from "../derive/index.ts";
import { boundedFact, recordChain, type SafeFact, type Seal } from "../format/index.ts";
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

/** Writes a run up to its seal, wherever its bytes come from. */
export interface RunWriter {
  readonly log: Recording;
  /** Writes next to the session log that the run has begun. */
  begin(): void;
  /** Records a fact, masked, with the current time. */
  readonly record: (body: FactBody) => SafeFact;
  /** Call every second: makes what was written survive a power cut, and checks that the files are still there. */
  beat(): void;
  /** Our log cannot be written. The first reason counts. */
  readonly fail: (error: unknown) => void;
  readonly failure: HarnessError | undefined;
  /** Seals the run after `last` has recorded the rest; if the log broke, from what is in the files. The caller checks `failure`. */
  seal(ended: Pick<Ended, "exit" | "leftovers">, last: () => Promise<void>): Promise<Seal>;
  /** Closes everything and releases the lock. */
  release(): Promise<void>;
}

const EVIDENCE_LOST = { code: "evidence-lost" };

/** What the system says if something else is in a file's place, or the way there was closed. No full or broken disk gives these. */
const DISPLACED = new Set(["ENOENT", "ENOTDIR", "EISDIR", "ELOOP", "EEXIST", "ENOTEMPTY", "EACCES", "EPERM"]);

/** Whether a run could not be recorded to its end because another process deleted or replaced its files. */
export function isEvidenceLost(error: unknown): boolean {
  return error instanceof HarnessError && error.code === "log" && (error.cause === EVIDENCE_LOST || DISPLACED.has(codeOf(error.cause)));
}

/** `watch` sees every event after it is on its way to disk; `failed` is called for every failure of the log. */
export function runWriter(
  open: OpenDirectory,
  agent: Agent,
  clock: Clock,
  on: { readonly watch: (events: readonly Event[]) => void; readonly failed: () => void },
  witness?: Witness,
): RunWriter {
  const { paths, session, manifest, prompt, spools, files } = open;
  const everyFile = [...spools, ...appendedFiles(files)];
  /** What was written before the start, and the directories: the first beat makes them survive a power cut, too. */
  const startFiles = [paths.manifest, paths.prompt, session.meta, paths.directory, dirname(paths.directory), dirname(session.meta)];
  const chain = recordChain();
  const log = recording(agent, infoOf(manifest, prompt.text), chain, files, on.watch);
  let failure: HarnessError | undefined;
  let loss: SafeFact | undefined;
  let isSyncing = false;
  let isStartSynced = false;
  let isClosed = false;

  function begin(): void {
    try {
      writeAtomically(session.meta, recorded(jsonText(metaOf(manifest, prompt.text))), { syncedLater: true });
    } catch (error) {
      fail(error);
    }
  }

  function record(body: FactBody): SafeFact {
    const fact = { type: "fact", at: clock.now(), body: boundedFact(maskFact(body, open.find)) } as const;
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
    fail(new HarnessError("log", `${message} The files that were still open are restored.`, { cause: EVIDENCE_LOST }));
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
      const expected = seal.files[kept.file];
      if (expected !== undefined) await mendView(kept.view, file.path, expected, run);
    }
    return seal;
  }

  /** The log broke: rebuilds the rest from the agent's files, as after a crash, with the reserved space. */
  async function salvaged({ exit, leftovers }: Pick<Ended, "exit" | "leftovers">): Promise<Seal> {
    log.showEnd(exit);
    try {
      open.reserve.free();
      if (loss !== undefined) restore(open, loss);
      close(); // there may be no free descriptors
      const { type: _, ...how } = exit;
      return await completeRun({ paths, session, manifest: { ...manifest, ended: how }, agent, leftovers });
    } catch (error) {
      throw failure ?? error; // report what broke first
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
  const reason = errorWords(error);
  return new HarnessError("log", `The run could not be recorded: ${reason}.`, { cause: error });
}
