import { join } from "node:path";
import { anyObject, either, fits, flawOf, HarnessError, leaf, list, object, oneOf, optional, text } from "../../../pure/base/index.ts";
import { type Event, type FactRecord, fact, type Stop, type Stream } from "../../../pure/events/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import { logError } from "../../files/index.ts";
import { maskedLater, writeFully } from "../../sink/index.ts";
import {
  ID_FORM,
  isIdAt,
  isTooLong,
  LONGEST_FACT,
  moment,
  newRunId,
  type RunManifest,
  runEnd,
  runPaths,
  type Seal,
} from "../format/index.ts";
import { agentNamed, readLike } from "../own/index.ts";
import { usualViews } from "./kept-views.ts";
import { currentDirectory, directoryOf, secretsOf } from "./plan-run.ts";
import { readAlong } from "./read-along.ts";
import { dataOf } from "./run.ts";
import { closeAgentDescriptors, createRunDirectory, describeRun } from "./run-directory.ts";
import type { RunOptions } from "./run-options.ts";
import { runWriter } from "./run-writer.ts";
import { type SinkReport, sinksOf } from "./sink.ts";

/** How much is written at a time: its events are on disk before the next slice. */
const SLICE = 32 * 1024;
const BEAT_MS = 1000;

/** What is known about a recording before its first byte. */
export interface RecordingOptions
  extends Pick<RunOptions, "cwd" | "model" | "permissions" | "name" | "tags" | "secrets" | "dataDirectory" | "environment" | "sinks"> {
  /** The agent that printed the bytes: an id, an alias, the file of a user-defined agent, or the agent itself. */
  readonly agent: string | Agent;
  /** The id of the format the bytes are in, if it is not the agent's own: that of a store of sessions. */
  readonly like?: string;
  /** The source of the bytes: a name, and what is known about it. */
  readonly origin: NonNullable<RunManifest["origin"]>;
  readonly prompt?: string;
  /** Milliseconds since the epoch. Default: now. */
  readonly startedAt?: number;
  /** The run id: the start time in UTC as `YYYYMMDD-HHMMSS`, then `-` and up to 100 letters, digits, `-` or `_`. Default: a new one. */
  readonly id?: string;
}

export interface RecordingEnd {
  readonly at: number;
  /** Null: unknown. */
  readonly exitCode: number | null;
  readonly signal?: string | null;
  /** Default: the time since the start. */
  readonly durationMs?: number | null;
  /** Why the run was stopped, if the agent did not end by itself. */
  readonly stopped?: Stop;
}

/**
 * A run being recorded that is not our process. Times are milliseconds since the epoch; a time before the last one counts as the last. When
 * a call returns, its data is in the files. After a write has failed, every call throws.
 */
export interface OpenRecording {
  readonly id: string;
  readonly directory: string;
  /** Any piece of the stream; lines may span several pieces. */
  stdout(bytes: ArrayBufferView | ArrayBufferLike, at: number): void;
  stderr(bytes: ArrayBufferView | ArrayBufferLike, at: number): void;
  fact(body: FactRecord["body"], at: number): void;
  /** Seals it. */
  end(end: RecordingEnd): Promise<Seal>;
  /** How its sinks fared; settles some time after the seal. Never rejects. */
  readonly delivered: Promise<readonly SinkReport[]>;
}

/**
 * Records bytes that were not printed by our process. With their times and a description they become a run like any other: locked while it is
 * written, masked, and completed by the next open if we die. Rejects, and leaves nothing behind, if the options cannot become a run.
 */
export async function openRecording(options: RecordingOptions): Promise<OpenRecording> {
  checkOptions(options);
  const { startedAt = Date.now(), id = newRunId(new Date(startedAt)) } = options;
  if (isIdAt(id, new Date(startedAt))) return beginRecording({ ...options, startedAt, id });
  throw new HarnessError("usage", `${JSON.stringify(id).slice(0, 60)} cannot be the id of this run. An id is ${ID_FORM}.`, {
    option: "id",
  });
}

/** `watch` sees the events after they are on their way to the disk, and must not change them. */
export async function beginRecording(
  options: RecordingOptions & { readonly startedAt: number; readonly id: string },
  watch: (events: readonly Event[]) => void = () => {},
): Promise<OpenRecording> {
  checkOptions(options);
  const { origin, prompt = "", model, permissions = "default", startedAt, id } = options;
  const attach = sinksOf(options.sinks);
  const { like } = options;
  const named = typeof options.agent === "string" ? await agentNamed(options.agent) : options.agent;
  const agent = like === undefined ? named : readLike(named.id, like);
  let now = startedAt;
  const clock = { startedAt, now: () => now, elapsed: () => now - startedAt };
  const environment = { set: [], removed: [] };
  const secrets = secretsOf(options.environment ?? process.env, options.secrets ?? []);
  const cwd = directoryOf(options.cwd ?? ".", currentDirectory());
  const about = { id, agent, like, origin, prompt, cwd, model, permissions, sessionName: id, environment, secrets };
  const data = dataOf(options);
  const described = describeRun(about, options, usualViews, startedAt);
  const { directory } = runPaths(join(data.runs, id));
  const { manifest } = described;
  const sinks = attach({ id, directory, manifest, agent }); // before the run exists: a view may fail to open
  const open = await createRunDirectory(data, about, described, usualViews);
  const [, ...descriptors] = open.stdio;
  const { paths } = open;
  const see = (events: readonly Event[]) => {
    watch(events);
    sinks.push(events);
  };
  const writer = runWriter(open, agent, clock, { watch: see, failed: () => {} });
  const reading = readAlong(open, writer.log, clock, { heard() {}, read() {}, failed: writer.fail }, true);
  const beating = setInterval(() => writer.beat(), BEAT_MS).unref();
  let isOver = false;
  writer.begin();

  function goTo(at: number): void {
    if (isOver) throw new HarnessError("usage", `The recording ${id} has ended. Nothing can be added to it.`);
    if (writer.failure !== undefined) throw writer.failure;
    now = Math.max(now, checked(at));
  }

  function take(stream: Stream, given: ArrayBufferView | ArrayBufferLike, at: number): void {
    const bytes = bytesOf(given);
    goTo(at);
    try {
      for (let start = 0; start < bytes.length; start += SLICE) {
        const { error } = writeFully(descriptors[stream === "stdout" ? 0 : 1], maskedLater(bytes.subarray(start, start + SLICE)));
        if (error !== undefined) throw logError(`Cannot write ${paths[stream]}`, error);
        reading.catchUp();
      }
    } catch (error) {
      writer.fail(error);
    }
    if (writer.failure !== undefined) throw writer.failure;
  }

  async function last(): Promise<void> {
    if (writer.failure === undefined) await reading.finish();
  }

  return {
    id,
    directory,
    stdout: (bytes, at) => take("stdout", bytes, at),
    stderr: (bytes, at) => take("stderr", bytes, at),
    fact(body, at) {
      if (!fits(fact, body))
        throw new HarnessError("usage", "This is not a fact: its type is unknown, or a field has the wrong type.", {
          option: "body",
        });
      if (isTooLong(body))
        throw new HarnessError("usage", `This fact is too long, or not JSON: a fact has at most ${LONGEST_FACT} characters.`, {
          option: "body",
        });
      goTo(at);
      writer.record(JSON.parse(JSON.stringify(body)));
    },
    async end(given) {
      const { at, exitCode, signal = null, durationMs, stopped } = given ?? {};
      const took = durationMs == null ? durationMs : Math.round(durationMs);
      const how = { at, exitCode, signal, durationMs: took ?? null, stopped };
      if (!fits(runEnd, how) || isTooLong(how))
        throw new HarnessError("usage", "This is not an end: the exit code and the duration must be numbers, and `at` whole milliseconds.");
      if (isOver || writer.failure === undefined) goTo(at); // a second end would close descriptors that are not ours
      isOver = true;
      clearInterval(beating);
      closeAgentDescriptors(open);
      try {
        const duration = took === undefined ? clock.elapsed() : took;
        const exit = { type: "exit", at: now, exitCode, signal, durationMs: duration, ...(stopped && { stopped }) } as const;
        const seal = await writer.seal({ exit, leftovers: null }, last);
        if (writer.failure !== undefined) throw writer.failure;
        return seal;
      } finally {
        reading.stop();
        await writer.release();
        sinks.close();
      }
    },
    delivered: sinks.delivered,
  };
}

const description = object({
  agent: either(text, object({ id: text, open: leaf<unknown>({}, (value) => typeof value === "function") })),
  like: optional(text),
  origin: object({ id: text, about: optional(anyObject) }),
  prompt: optional(text),
  startedAt: optional(leaf<number>({ type: "integer" }, (value) => fits(moment, value) && Number(value) < YEAR_10000)),
  cwd: optional(text),
  model: optional(text),
  permissions: optional(oneOf("full", "default", "read-only")),
  name: optional(text),
  tags: optional(list(text)),
  secrets: optional(list(text)),
  dataDirectory: optional(text),
  environment: optional(anyObject),
});
/** Its ids would not sort. */
const YEAR_10000 = Date.UTC(10_000, 0);

function checkOptions(options: RecordingOptions): void {
  const flaw = flawOf(description, options);
  if (flaw === undefined) return;
  const [option = "options"] = flaw;
  throw new HarnessError("usage", `\`${flaw.join(".") || option}\` is missing or not valid.`, { option: String(option) });
}

function bytesOf(given: unknown): Uint8Array {
  if (ArrayBuffer.isView(given)) return new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
  if (given instanceof ArrayBuffer || given instanceof SharedArrayBuffer) return new Uint8Array(given);
  throw new HarnessError("usage", "`bytes` must be an ArrayBuffer or a view of one, such as a Uint8Array.", { option: "bytes" });
}

function checked(at: number): number {
  if (fits(moment, at)) return at;
  throw new HarnessError("usage", `${String(at)} is not a time. Pass whole milliseconds since the epoch.`, { option: "at" });
}
