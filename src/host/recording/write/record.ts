import { join } from "node:path";
import { NATIVE } from "../../../pure/agents/index.ts";
import { errorWords, HarnessError } from "../../../pure/base/index.ts";
import type { HarnessEvent } from "../../../pure/events/index.ts";
import { untilGivenUp } from "../../process/index.ts";
import { newRunId, type Seal } from "../format/index.ts";
import { startClock } from "./clock.ts";
import { beginRecording, type OpenRecording, type RecordingEnd, type RecordingOptions } from "./open-recording.ts";
import { dataOf } from "./run.ts";
import type { SinkReport } from "./sink.ts";

export interface RecordOptions extends Partial<Omit<RecordingOptions, "origin" | "startedAt" | "id">> {
  /** The agent that the events are attributed to. Default: our own agent with tools. */
  readonly agent?: RecordingOptions["agent"];
  /** The main run's id among these events, and its parent's: stored with the recording. */
  readonly runId?: string;
  readonly parentId?: string;
  /** Cancels the recording: after `graceMs` it no longer waits for the source. Pass it to the source too, which can then report its end. */
  readonly signal?: AbortSignal;
  /** How long the source may take to end by itself after `signal`. Default: 0. */
  readonly graceMs?: number;
}

/** Events that are recorded while they are read. */
export interface RecordedEvents extends AsyncIterable<HarnessEvent> {
  /** The run exists from when the first event is requested. */
  readonly id: string;
  readonly directory: string;
  /** Settles when the recording has ended, before the iteration does. */
  readonly sealed: Promise<Seal>;
  /** How the sinks fared; settles some time after that. Never rejects. */
  readonly delivered: Promise<readonly SinkReport[]>;
}

/**
 * Yields the events as they come, each after it was written, and makes a recording like any other run's. Leaving the loop early cancels it,
 * unless there was a result. If the source throws, the run has failed and the error is rethrown.
 */
export function record(events: AsyncIterable<HarnessEvent>, options: RecordOptions = {}): RecordedEvents {
  const { runId, parentId, signal, graceMs } = options;
  const id = newRunId(new Date());
  let settle: (seal: Promise<Seal>) => void = () => {};
  const sealed = new Promise<Seal>((resolve) => {
    settle = resolve;
  });
  sealed.catch(() => {}); // the iteration throws the same error
  let handOver: (reports: readonly SinkReport[] | Promise<readonly SinkReport[]>) => void = () => {};
  const delivered = new Promise<readonly SinkReport[]>((resolve) => {
    handOver = resolve;
  });
  let hasBegun = false;

  async function* passed(): AsyncGenerator<HarnessEvent, void> {
    if (hasBegun) throw new HarnessError("usage", "Recorded events can be iterated only once.");
    hasBegun = true;
    const clock = startClock();
    let hasResult = false;
    const about = { ...(runId !== undefined && { runId }), ...(parentId !== undefined && { parentId }) };
    const opening = beginRecording(
      { agent: NATIVE, ...options, id, startedAt: clock.startedAt, origin: { id: "in-process", about } },
      (seen) => {
        for (const { body } of seen) hasResult ||= body.type === "result";
      },
    );
    const recording = await opening.catch((error: unknown) => {
      settle(Promise.reject(error));
      handOver([]);
      throw error;
    });
    handOver(recording.delivered);
    let source: AsyncIterator<HarnessEvent> | undefined;
    let end: Omit<RecordingEnd, "at"> = { exitCode: null, stopped: "cancel" }; // if the reader leaves early
    try {
      source = untilGivenUp(events, signal, graceMs);
      for (;;) {
        const next = await source.next();
        if (next.done === true) {
          if (signal?.aborted !== true) end = { exitCode: 0 };
          source = undefined;
          return;
        }
        write(recording, next.value, clock.now());
        yield next.value;
      }
    } catch (error) {
      if (signal?.aborted !== true) end = thrown(recording, error, clock.now());
      throw error;
    } finally {
      if (hasResult && end.stopped === "cancel") end = { exitCode: 0 };
      settle(recording.end({ ...end, at: clock.now() }));
      const closed = source?.return?.();
      closed?.catch(() => {});
      await sealed;
      if (signal?.aborted !== true) await closed; // otherwise it might never settle
    }
  }

  return { id, directory: join(dataOf(options).runs, id), sealed, delivered, [Symbol.asyncIterator]: passed };
}

function write(recording: OpenRecording, event: HarnessEvent, at: number): void {
  let line: string;
  try {
    line = JSON.stringify(event);
  } catch (error) {
    const message = `An event of the type ${event.type} cannot be written as JSON: ${errorWords(error)}`;
    return recording.fact({ type: "warning", code: "unwritable", message }, at);
  }
  recording.stdout(Buffer.from(`${line}\n`), at);
}

const LONGEST_MESSAGE = 1024 * 1024;

/** How a recording ends if its source threw, or if it could not be written. */
function thrown(recording: OpenRecording, error: unknown, at: number): Omit<RecordingEnd, "at"> {
  try {
    recording.fact({ type: "error", code: "thrown", message: errorWords(error).slice(0, LONGEST_MESSAGE) }, at);
    return { exitCode: 1 };
  } catch {
    return { exitCode: null, stopped: "log" };
  }
}
