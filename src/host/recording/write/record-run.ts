import { dirname } from "node:path";
import { errorWords, HarnessError } from "../../../pure/base/index.ts";
import type { Event, FactBody } from "../../../pure/events/index.ts";
import { syncPaths, writeAtomically } from "../../files/index.ts";
import { maskFact } from "../../secrets/index.ts";
import { infoOf } from "../derive/index.ts";
import { recordChain, type Seal, type StoredFact } from "../format/index.ts";
import type { Clock } from "./clock.ts";
import { completeRun } from "./complete-run.ts";
import { isOutside } from "./kept-views.ts";
import { mendView } from "./mend-view.ts";
import { readAlong } from "./read-along.ts";
import { appendedFiles, recording } from "./recording.ts";
import { AFTER_ANSWER_MS, type RunClocks, runClocks } from "./run-clocks.ts";
import { jsonText, lostFiles, type OpenDirectory, restore } from "./run-directory.ts";
import type { RunOptions } from "./run-options.ts";
import type { RunPlan } from "./run-plan.ts";
import { sealRecording } from "./seal-recording.ts";
import { metaOf } from "./seal-run.ts";
import { type Speak, speakWith } from "./speak-with.ts";
import { type Ended, superviseAgent } from "./supervise-agent.ts";
import type { Witness } from "./witness.ts";

export interface RunningAgent {
  /** Asks the agent to stop; asked again, ends it at once. After the agent's own end it changes nothing. */
  cancel(): void;
  /** Resolves when the run is sealed; rejects with a `HarnessError` where it could not be recorded to its end. */
  readonly sealed: Promise<Seal>;
}

/**
 * Starts the agent and records it to its end. Everything it prints goes into the files by itself: this only reads along,
 * so a slow or dead recorder loses nothing. `watch` sees every event after it is on its way to the disk.
 */
export function recordRun(
  open: OpenDirectory,
  plan: RunPlan,
  options: RunOptions,
  clock: Clock,
  watch: (events: readonly Event[]) => void,
  speak?: Speak,
  witness?: Witness,
): RunningAgent {
  const { paths, session, manifest, prompt, spools, files } = open;
  const everyFile = [...spools, ...appendedFiles(files)];
  /** What was written before the start, and the names of it all: with the first beat it survives a power cut, too. */
  const startFiles = [paths.manifest, paths.prompt, session.meta, paths.directory, dirname(paths.directory), dirname(session.meta)];
  const outside = files.views.filter(({ kept }) => isOutside(kept));
  const chain = recordChain();
  let hasResult = false; // the agent's last word, after which it only has to go
  let failure: HarnessError | undefined;
  let loss: StoredFact | undefined;
  let isSyncing = false;
  let isStartSynced = false;
  let isClosed = false;

  const log = recording(plan.agent, infoOf(manifest, prompt.text), chain, files, (events) => {
    for (const { body } of events) if (body.type === "result") hasResult = plan.agent.terminal === true && body.pending !== true;
    talk?.see(events);
    witness?.see?.(events, record);
    watch(events);
  });
  const talk = speak && speakWith(speak, open, plan, options, { record: (body) => void record(body), failed: fail });
  const agent = superviseAgent(open, plan, clock, options.graceMs);
  let clocks: RunClocks | undefined;
  const startClocks = () =>
    runClocks(talk === undefined ? options : { ...options, afterResultMs: options.afterResultMs ?? AFTER_ANSWER_MS }, {
      stop: (reason) => agent.stop(reason),
      idle,
      hasResult: () => talk?.isOver ?? hasResult,
      beat,
    });
  const reading = readAlong(open, log, clock, {
    heard: () => clocks?.heard(),
    read: (stream, lines) => talk?.read(stream, lines),
    failed: fail,
  });

  // ── while it runs ─────────────────────────────────────────────────────────────────────────────────────────────────

  function record(body: FactBody): StoredFact {
    const fact = { type: "fact", at: clock.now(), body: maskFact(body, open.find) } as const;
    try {
      if (failure === undefined) log.fact(fact);
    } catch (error) {
      fail(error);
    }
    return fact;
  }

  function idle(quietMs: number): void {
    const message = `The agent has printed nothing for ${Math.round(quietMs / 1000)} s.`;
    if (!agent.isStopped) record({ type: "warning", code: "idle", message });
  }

  /** Every second: what was written so far survives a power cut, and is still where it belongs. */
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

  /** Our log cannot be written: nobody would know what the agent does from here on, so it is stopped. */
  function fail(error: unknown): void {
    reading.stop();
    failure ??= error instanceof HarnessError ? error : failureOf(error);
    agent.stop("log");
  }

  // ── at its end ────────────────────────────────────────────────────────────────────────────────────────────────────

  async function recorded(): Promise<Seal> {
    try {
      attempt(() => writeAtomically(session.meta, jsonText(metaOf(manifest, prompt.text)), { syncedLater: true }));
      const ended = await agent.run({
        before: async () => {
          await witness?.prepare(record);
          clocks = startClocks();
        },
        started: (running) => {
          talk?.started(running);
          witness?.started?.(running);
        },
        exited: () => {
          clocks?.stop();
          talk?.exited();
        },
        farewell: (reason) => talk?.farewell(reason),
      });
      clocks?.stop();
      const seal = await sealed(ended);
      const error = ended.unstarted ?? failure;
      if (error !== undefined) throw error;
      return seal;
    } finally {
      clocks?.stop();
      reading.stop();
      close();
      open.reserve.free();
      await open.lock.release();
    }
  }

  async function sealed(ended: Ended): Promise<Seal> {
    const { exit, unstarted } = ended;
    try {
      lookForFiles();
      if (failure === undefined) await reading.finish();
      if (unstarted !== undefined) record({ type: "error", code: "start", message: unstarted.message });
      else talk?.end();
      if (exit.stopped === "after-result" && talk === undefined)
        record({ type: "warning", code: "exit-forced", message: "The agent had told its result and did not exit; it was stopped." });
      if (witness !== undefined && failure === undefined) await concluded(ended, witness);
      if (failure === undefined) {
        const seal = await sealRecording(open, log, chain, clock, ended, witness);
        const run = { manifest, directory: paths.directory, agent: plan.agent };
        for (const { kept, file } of outside) {
          const told = seal.files[kept.file];
          if (told !== undefined) await mendView(kept.view, file.path, told, run);
        }
        return seal;
      }
    } catch (error) {
      fail(error);
    }
    return salvaged(loss === undefined ? { ...ended, exit: { ...exit, stopped: exit.stopped ?? "log" } } : ended);
  }

  /** That the agent has gone is the first thing told then: should we die meanwhile, the next open knows how it ended. */
  async function concluded({ exit, leftovers }: Ended, witness: Witness): Promise<void> {
    const { exitCode, signal, durationMs, stopped } = exit;
    const how = { exitCode, signal, durationMs, ...(stopped && { stopped }) };
    record({ type: "process-observed", ...how, leftovers, resources: witness.resources() });
    await witness.conclude(record);
    for (const { file } of outside.filter(({ file }) => !file.isIntact())) {
      const message = `${file.path} was changed, or removed, while it was written; it is written again.`;
      record({ type: "warning", code: "artifacts", message });
    }
  }

  /** The log broke: from what the agent left in its files the rest is made as after a crash, with the space kept for that. */
  async function salvaged({ exit, leftovers }: Ended): Promise<Seal> {
    log.tellEnd(exit);
    try {
      open.reserve.free();
      if (loss !== undefined) restore(open, loss);
      close(); // there may be no descriptors left for others
      const { type: _, ...how } = exit;
      return await completeRun({ paths, session, manifest: { ...manifest, ended: how }, agent: plan.agent, leftovers });
    } catch (error) {
      throw failure ?? error; // what broke first is what to tell
    }
  }

  function close(): void {
    if (isClosed) return;
    isClosed = true;
    for (const file of [...everyFile, files.index]) file.close();
  }

  function attempt(step: () => void): void {
    try {
      step();
    } catch (error) {
      fail(error);
    }
  }

  if (options.signal?.aborted) agent.stop("cancel"); // nothing is started
  return { cancel: () => (agent.isStopped ? agent.hurry() : agent.stop("cancel")), sealed: recorded() };
}

function failureOf(error: unknown): HarnessError {
  const words = errorWords(error);
  return new HarnessError("log", `The run could not be recorded: ${words}.`, { cause: error });
}
