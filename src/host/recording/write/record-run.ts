import { type Event, type FactBody, UNENFORCED } from "../../../pure/events/index.ts";
import type { Task } from "../../../pure/pipeline/index.ts";
import { excessWatch } from "../../permissions/index.ts";
import type { Seal } from "../format/index.ts";
import { wireLog } from "../wire/index.ts";
import type { Clock } from "./clock.ts";
import type { OpenDecisions } from "./decisions.ts";
import { isOutside } from "./kept-views.ts";
import { readAlong } from "./read-along.ts";
import { AFTER_ANSWER_MS, type RunClocks, runClocks } from "./run-clocks.ts";
import type { OpenDirectory } from "./run-directory.ts";
import type { RunOptions } from "./run-options.ts";
import type { RunPlan } from "./run-plan.ts";
import { runWriter } from "./run-writer.ts";
import { layOver } from "./settings-overlay.ts";
import { type Speak, speakWith } from "./speak-with.ts";
import { type Ended, superviseAgent } from "./supervise-agent.ts";
import type { Witness } from "./witness.ts";

export interface RunningAgent {
  /** Asks the agent to stop; a second call kills it immediately. Has no effect after the agent has ended. */
  cancel(): void;
  /** Resolves when the run is sealed. Rejects with a `HarnessError` if it could not be recorded to its end. */
  readonly sealed: Promise<Seal>;
}

/**
 * Starts the agent and records it to its end. The agent prints directly into the files; this only reads along, so a slow or dead recorder
 * loses nothing. `watch` sees every event after it is on its way to disk.
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
  const outside = open.files.views.filter(({ kept }) => isOutside(kept));
  const hasHooks = plan.decisions !== undefined && plan.decisions.speech !== "socket";
  const isAsked = hasHooks ? () => decisions?.isAsked() === true : undefined;
  const excess = excessWatch(plan.task, plan.agent.sandboxed === true, isAsked);
  let hasResult = false; // after its final result the agent only has to exit

  const writer = runWriter(open, plan.agent, clock, { watch: seen, failed }, witness);
  const { record, fail } = writer;
  const talk = speak && speakWith(speak, open, plan, options, { record: (body) => void record(body), failed: fail });
  const wire = open.files.wire && wireLog(open.files.wire, open.find, { now: () => clock.now(), record, failed: fail });
  const agent = superviseAgent(open, plan, clock, options.graceMs);
  let clocks: RunClocks | undefined;
  let decisions: OpenDecisions | undefined;
  const startClocks = () =>
    runClocks(talk === undefined ? options : { ...options, afterResultMs: options.afterResultMs ?? AFTER_ANSWER_MS }, {
      stop: (reason) => agent.stop(reason),
      idle,
      hasResult: () => talk?.isOver ?? hasResult,
      beat: () => writer.beat(),
    });
  const reading = readAlong(open, writer.log, clock, {
    heard: () => clocks?.heard(),
    read: (stream, lines) => talk?.read(stream, lines),
    failed: fail,
  });

  // ── while it runs ─────────────────────────────────────────────────────────────────────────────────────────────────

  function seen(events: readonly Event[]): void {
    for (const { body } of events) if (body.type === "result") hasResult = plan.agent.terminal === true && body.pending !== true;
    talk?.see(events);
    witness?.see?.(events, record);
    watch(events);
    for (const fact of excess(events)) record(fact);
  }

  /** What the agent cannot enforce is part of the run, not only of what its user was shown. */
  function announce(): void {
    if (plan.unheld !== undefined) record({ type: "warning", code: UNENFORCED, message: plan.unheld });
    const limits: readonly (keyof Task)[] = ["allow", "deny", ...(plan.permissions === "full" ? [] : (["permissions"] as const))];
    for (const option of plan.ignored.filter((each) => limits.includes(each))) {
      const message = `${plan.agent.title} does not support \`${option}\`; it is ignored.`;
      record({ type: "warning", code: UNENFORCED, message });
    }
  }

  /** The agent printed the call before its hook asked about it. What cannot be recorded is denied. */
  function decided(fact: FactBody): void {
    reading.catchUp();
    record(fact);
    if (writer.failure !== undefined) throw writer.failure;
  }

  function idle(quietMs: number): void {
    const message = `The agent has printed nothing for ${Math.round(quietMs / 1000)} s.`;
    if (!agent.isStopped) record({ type: "warning", code: "idle", message });
  }

  /** From here on no one would know what the agent does, so it is stopped. */
  function failed(): void {
    reading.stop();
    agent.stop("log");
  }

  // ── at its end ────────────────────────────────────────────────────────────────────────────────────────────────────

  async function recorded(): Promise<Seal> {
    try {
      writer.begin();
      const ended = await agent.run({
        before: async () => {
          announce();
          await witness?.prepare?.(record);
          const { decisions: place, task, overlay } = plan;
          if (place !== undefined) decisions = await (await import("./decisions.ts")).openDecisions(place, task, options, decided);
          if (overlay !== undefined) layOver(overlay);
          clocks = startClocks();
        },
        started: (running) => {
          talk?.started(running);
          witness?.started?.(running);
        },
        exited: () => {
          clocks?.stop();
          talk?.exited();
          decisions?.close();
        },
        farewell: (reason) => talk?.farewell(reason),
        reported: (fact) => void record(fact),
        ...(wire && { wire: { tap: wire.tap, instead: options.modelInstead } }),
      });
      clocks?.stop();
      const seal = await writer.seal(ended, () => last(ended));
      const error = ended.unstarted ?? writer.failure;
      if (error !== undefined) throw error;
      return seal;
    } finally {
      decisions?.close();
      clocks?.stop();
      reading.stop();
      plan.isolation?.close();
      await writer.release();
    }
  }

  async function last(ended: Ended): Promise<void> {
    const { exit, unstarted, exceeded } = ended;
    await wire?.settled();
    if (writer.failure === undefined) await reading.finish();
    if (exceeded !== undefined) record({ type: "warning", code: "limit", message: exceeded.message });
    if (unstarted !== undefined) record({ type: "error", code: "start", message: unstarted.message });
    else talk?.end();
    if (exit.stopped === "after-result" && talk === undefined)
      record({ type: "warning", code: "exit-forced", message: "The agent reported its result but did not exit; it was stopped." });
    for (const message of plan.isolation?.close() ?? []) record({ type: "warning", code: "login", message });
    if (writer.failure === undefined) await witness?.settle?.((body) => void record(body));
    if (witness?.end !== undefined && writer.failure === undefined) await concluded(ended, witness.end);
  }

  /** Records first that the agent is gone: if we die in the middle, the next open knows how it ended. */
  async function concluded({ exit, leftovers }: Ended, { resources, conclude }: NonNullable<Witness["end"]>): Promise<void> {
    const { exitCode, signal, durationMs, stopped } = exit;
    const how = { exitCode, signal, durationMs, ...(stopped && { stopped }) };
    record({ type: "process-observed", ...how, leftovers, resources: resources() });
    await conclude(record);
    for (const { file } of outside.filter(({ file }) => !file.isIntact())) {
      const message = `${file.path} was changed or removed while it was written; it is written again.`;
      record({ type: "warning", code: "artifacts", message });
    }
  }

  if (options.signal?.aborted) agent.stop("cancel"); // nothing is started
  return { cancel: () => (agent.isStopped ? agent.hurry() : agent.stop("cancel")), sealed: recorded() };
}
