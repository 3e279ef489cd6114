import { setImmediate as nextTurn } from "node:timers/promises";
import { HarnessError } from "../core/errors.ts";
import type { Event } from "../core/event.ts";
import type { ExitRecord, Stop } from "../core/record.ts";
import type { AgentExit, AgentProcess } from "../runner/start-agent.ts";
import { startAgent } from "../runner/start-agent.ts";
import { maskText } from "../store/mask-text.ts";
import { recordChain } from "../store/record-chain.ts";
import type { Seal } from "../store/run-manifest.ts";
import { watchFiles } from "../store/watch-files.ts";
import { writeAtomically } from "../store/write-atomically.ts";
import type { Clock } from "./clock.ts";
import { completeRun } from "./complete-run.ts";
import { maskFile } from "./mask-file.ts";
import type { RunPlan } from "./plan-run.ts";
import { quietClock } from "./quiet-clock.ts";
import { recording } from "./recording.ts";
import { closeAgentDescriptors, jsonText, type OpenDirectory, restore } from "./run-directory.ts";
import type { RunOptions } from "./run-options.ts";
import { metaOf, sealOf, writeSeal } from "./seal-run.ts";

/** Reads before something else may have its turn. */
const READS_PER_TURN = 8;
const HEARTBEAT_MS = 1000;
const IDLE_WARNING_MS = 120_000;
const AFTER_RESULT_MS = 10_000;
const GRACE_MS = 5000;
const LONGEST_TIMER = 2 ** 31 - 1;

export interface RunningAgent {
  /** Asks the agent to stop; asked again, ends it at once. */
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
  watch: (events: readonly Event[], bytes: number) => void,
): RunningAgent {
  const { paths, session, manifest, spools, files } = open;
  const prompt = maskText(plan.prompt, open.find);
  const chain = recordChain();
  const info = { startedAt: clock.startedAt, cwd: plan.cwd, model: plan.model, prompt };
  const log = recording(plan.agent, info, chain, files, seen);
  let agent: AgentProcess | undefined;
  let stopped: Stop | undefined;
  let failure: HarnessError | undefined;
  let isDraining = false;
  let hasResult = false; // the agent's last word, after which it only has to go
  let lost = false;

  function seen(events: readonly Event[], bytes: number): void {
    for (const { body } of events) if (body.type === "result") hasResult = plan.agent.terminal === true && body.pending !== true;
    watch(events, bytes);
  }

  // ── reading along ─────────────────────────────────────────────────────────────────────────────────────────────────

  /** Records what has arrived; false where nothing had. */
  function readOnce(): boolean {
    let any = false;
    for (const spool of spools) {
      const bytes = spool.read();
      const truncation = spool.truncation();
      if (truncation !== undefined) {
        const message = `The agent truncated its own ${spool.stream}: what it wrote before byte ${truncation.offset} is lost.`;
        log.notice({ type: "notice", at: clock.now(), level: "error", code: "raw-truncated", message, truncation });
      }
      if (bytes.length === 0) continue;
      any = true;
      log.bytes(spool.stream, bytes, clock.now());
    }
    if (any) for (const quiet of quietClocks) quiet.heard();
    return any;
  }

  function drain(): void {
    if (failure !== undefined || isDraining) return;
    try {
      for (let turn = 0; turn < READS_PER_TURN; turn++) if (!readOnce()) return;
      isDraining = true;
      setImmediate(() => {
        isDraining = false;
        drain();
      });
    } catch (error) {
      fail(error);
    }
  }

  /** Our log cannot be written: nobody would know what the agent does from here on, so it is stopped. */
  function fail(error: unknown): void {
    failure ??=
      error instanceof HarnessError
        ? error
        : new HarnessError("log", `The run could not be recorded: ${messageOf(error)}.`, { cause: error });
    stop("log");
  }

  function heartbeat(): void {
    void Promise.all([...spools, files.records, files.events, files.session].map((file) => file.sync())).catch(fail);
    if (lost || spools.every((spool) => spool.isLinked())) return;
    lost = true;
    const message = `The files of the run were deleted from ${paths.directory} while they were written.`;
    try {
      log.notice({ type: "notice", at: clock.now(), level: "error", code: "evidence-lost", message });
    } finally {
      fail(new HarnessError("log", `${message} The agent was stopped; what was still open is restored.`));
    }
  }

  // ── ending it ─────────────────────────────────────────────────────────────────────────────────────────────────────

  function stop(reason: Stop): void {
    if (stopped !== undefined) return;
    stopped = reason;
    if (agent !== undefined) end(agent);
  }

  function end(running: AgentProcess): void {
    running.signal("SIGTERM");
    const grace = setTimeout(() => void running.finish(), options.graceMs ?? GRACE_MS);
    void running.exited.then(() => clearTimeout(grace));
  }

  const { timeoutMs, idleTimeoutMs } = options;
  const deadline = timeoutMs === undefined ? undefined : setTimeout(() => stop("timeout"), Math.min(timeoutMs, LONGEST_TIMER));
  const quietClocks = [
    quietClock(options.idleWarningMs ?? IDLE_WARNING_MS, (quietMs) => {
      if (failure !== undefined || stopped !== undefined) return undefined;
      const message = `The agent has printed nothing for ${Math.round(quietMs / 1000)} s.`;
      try {
        log.notice({ type: "notice", at: clock.now(), level: "warning", code: "idle", message });
      } catch (error) {
        fail(error);
      }
      return 2 * quietMs;
    }),
    quietClock(options.afterResultMs ?? AFTER_RESULT_MS, () => {
      if (!hasResult) return options.afterResultMs ?? AFTER_RESULT_MS;
      stop("after-result");
      return undefined;
    }),
  ];
  if (idleTimeoutMs !== undefined) {
    quietClocks.push(
      quietClock(idleTimeoutMs, () => {
        stop("idle");
        return undefined;
      }),
    );
  }
  const beating = setInterval(heartbeat, HEARTBEAT_MS);

  function stopClocks(): void {
    clearTimeout(deadline);
    clearInterval(beating);
    for (const quiet of quietClocks) quiet.stop();
  }

  // ── the run ───────────────────────────────────────────────────────────────────────────────────────────────────────

  async function recorded(): Promise<Seal> {
    const watcher = watchFiles([paths.stdout, paths.stderr], drain);
    let exit: AgentExit = { exitCode: null, signal: null };
    let leftovers: number | null = null;
    let unstarted: HarnessError | undefined;
    try {
      writeAtomically(session.meta, jsonText(metaOf(manifest, prompt)));
      agent = await startAgent({ ...plan, cookie: manifest.cookie, stdio: open.stdio });
      if (stopped !== undefined) end(agent); // it was canceled before it was born
      exit = await agent.exited;
      stopClocks();
      leftovers = await agent.finish();
    } catch (error) {
      if (error instanceof HarnessError && error.code === "start") {
        unstarted = error;
        stopped = "not-started";
      } else fail(error);
    } finally {
      stopClocks();
      closeAgentDescriptors(open);
      watcher.close();
    }
    const durationMs = clock.elapsed();
    const ended: ExitRecord = { type: "exit", at: clock.now(), ...exit, durationMs, ...(stopped === undefined ? {} : { stopped }) };
    if (unstarted !== undefined) noteStart(unstarted);
    const seal = await sealed(ended, leftovers);
    if (unstarted !== undefined) throw unstarted;
    if (failure !== undefined) throw failure;
    return seal;
  }

  function noteStart(error: HarnessError): void {
    try {
      log.notice({ type: "notice", at: clock.now(), level: "error", code: "start", message: maskText(error.message, open.find) });
    } catch (failed) {
      fail(failed);
    }
  }

  async function sealed(exit: ExitRecord, leftovers: number | null): Promise<Seal> {
    try {
      if (failure !== undefined) return await salvaged(exit, leftovers);
      while (readOnce() || spools.some((spool) => spool.hasMore())) await nextTurn();
      for (const spool of spools) log.bytes(spool.stream, spool.rest(), clock.now());
      if (stopped === "after-result") {
        const message = "The agent had told its result and did not exit; it was stopped.";
        log.notice({ type: "notice", at: clock.now(), level: "warning", code: "exit-forced", message });
      }
      log.exit({ ...exit, at: clock.now() });
      const [stdout, stderr] = spools;
      const masked = stdout.masked + stderr.masked;
      const promptFile = maskFile(paths.prompt, open.find);
      const { events, session: stream } = log.seals();
      const sealedFiles = {
        "raw.jsonl": stdout.seal(),
        "stderr.log": stderr.seal(),
        "prompt.txt": promptFile.seal,
        "events.jsonl": events,
        "session.ndjson": stream,
      };
      const truncated = [...stdout.truncations, ...stderr.truncations];
      const ending = { exit, summary: log.summary.summary(), eventCount: log.eventCount, records: chain.seq, head: chain.head };
      const rest = { masked: masked + promptFile.masked, leftovers, files: sealedFiles, ...(truncated.length === 0 ? {} : { truncated }) };
      const seal = sealOf(clock.now(), ending, rest);
      await Promise.all([...spools, files.records, files.events, files.session].map((file) => file.sync()));
      writeSeal({ manifest: paths.manifest, meta: session.meta }, manifest, seal, prompt);
      return seal;
    } catch (error) {
      if (failure !== undefined) throw failure;
      fail(error);
      return await salvaged({ ...exit, stopped: "log" }, leftovers);
    } finally {
      await close();
    }
  }

  /** The log broke: from what the agent left in its files the rest is made as after a crash, with the space kept for that. */
  async function salvaged(exit: ExitRecord, leftovers: number | null): Promise<Seal> {
    open.reserve.free();
    if (lost) restore(open);
    const { type: _, ...ended } = exit;
    return await completeRun({ paths, session, manifest: { ...manifest, ended }, agent: plan.agent, leftovers });
  }

  async function close(): Promise<void> {
    for (const file of [...spools, files.records, files.events, files.session]) file.close();
    open.reserve.free();
    await open.lock.release();
  }

  return { cancel: () => (stopped === undefined ? stop("cancel") : void agent?.finish()), sealed: recorded() };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
