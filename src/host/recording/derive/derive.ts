import { resolve } from "node:path";
import { findAgent, isAgentFile } from "../../../pure/agents/index.ts";
import { HarnessError, isAbsolute, namedOrSuggest } from "../../../pure/base/index.ts";
import { type Agent, pipeline, type RunInfo, type View, type ViewOptions } from "../../../pure/pipeline/index.ts";
import { type Refs, type ViewId, views, withRefs } from "../../../pure/views/index.ts";
import { type ByteSource, isSource, openSource } from "../../files/index.ts";
import { isRunDirectory, type RunManifest, readManifest, runPaths } from "../format/index.ts";
import { agentOfRun, loadAgent } from "../own/index.ts";
import { decode } from "./decode.ts";
import { deriveRun } from "./derive-run.ts";
import { checkSessionLogView, deriveSessionLog, isSessionLog } from "./derive-session-log.ts";
import { withinMemory } from "./within-memory.ts";

export interface DeriveOptions<V extends ViewId | View = ViewId> extends ViewOptions {
  /** The agent that printed it: an id, an alias, the file of a user-defined agent, or the agent itself. A recorded run knows its agent. */
  readonly agent?: string | Agent;
  /** Default: `activity`. */
  readonly view?: V;
  /** The agent's standard error, if it was kept. */
  readonly stderr?: ByteSource;
  /** What is known about the run from elsewhere. */
  readonly cwd?: string;
  readonly model?: string;
  readonly prompt?: string;
  readonly exitCode?: number;
  readonly signal?: string;
  /** Adds `seq`, `callId` and the byte range to every record. */
  readonly refs?: boolean;
}

/** The record type of a view. */
export type OutputOf<V> = V extends ViewId ? RecordOf<(typeof views)[V]> : V extends View ? RecordOf<V> : never;
type RecordOf<T> = T extends View<infer Out> ? Out : never;

/** The records of a view, one by one or in batches. Iterate it once. */
export interface Derivation<Out> extends AsyncIterable<Out> {
  /** All records of one chunk of input together, for writers that prefer large pieces. */
  batches(): AsyncIterable<readonly Out[]>;
}

/**
 * Turns an agent's output into a view: bytes, a file, or the directory of a recorded run. Without an agent, a file named `*.ndjson` is
 * read as a session log. Data never throws. An unknown agent or view
 * throws a `HarnessError` immediately; an unreadable source rejects with one before the first record. Memory does not grow with the input,
 * except for views that hold the run: too long a run rejects.
 */
export function derive<V extends ViewId | View = "activity">(
  source: ByteSource,
  options: DeriveOptions<V> = {},
): Derivation<OutputOf<V> & Partial<Refs>> {
  type Out = OutputOf<V> & Partial<Refs>;
  const directory = typeof source === "string" && isRunDirectory(source) ? source : undefined;
  const run = directory === undefined ? undefined : readManifest(runPaths(directory).manifest);
  const session = run === undefined && options.agent === undefined && isSessionLog(source) ? source : undefined;
  const agentOf = session === undefined ? agentFor(options.agent, run) : undefined;
  if (!isSource(source)) throw new HarnessError("usage", "The source must be a file path, bytes, or a stream of bytes.");
  const chosen = (
    typeof options.view === "object" ? options.view : findView(options.view ?? (session === undefined ? "activity" : "stream"))
  ) as View<Out>;
  const view = options.refs === true ? (withRefs(chosen) as unknown as View<Out>) : chosen;
  if (session !== undefined) checkSessionLogView(chosen);
  async function* batches(): AsyncGenerator<readonly Out[]> {
    if (session !== undefined) return yield* deriveSessionLog(session, withinMemory(view), options);
    const agent = await (agentOf as NonNullable<typeof agentOf>)();
    yield* run === undefined || directory === undefined
      ? deriveBatches(source, agent, withinMemory(view), options)
      : deriveRun(run, directory, agent, view, options);
  }
  return {
    batches,
    [Symbol.asyncIterator]: () => oneByOne(batches()),
  };
}

/** A name is resolved immediately; a file is read when needed. */
function agentFor(given: string | Agent | undefined, run: RunManifest | undefined): () => Promise<Agent> {
  if (given === undefined && run !== undefined) return () => agentOfRun(run);
  if (typeof given === "string" && isAgentFile(given)) return () => loadAgent(given);
  const agent = typeof given === "string" ? findAgent(given) : given;
  if (typeof agent?.open !== "function") throw new HarnessError("usage", "`agent` must be an id, or an object with open().");
  return () => Promise.resolve(agent);
}

/** An async generator would create three promises per record; this creates one. */
export function oneByOne<Out>(batches: AsyncIterable<readonly Out[]>): AsyncIterator<Out> {
  const source = batches[Symbol.asyncIterator]();
  let batch: readonly Out[] = [];
  let at = 0;
  let filling: Promise<IteratorResult<Out>> | undefined;

  async function fill(): Promise<IteratorResult<Out>> {
    try {
      do {
        const { value, done } = await source.next(); // once done, a generator stays done
        if (done) return { value: undefined, done: true };
        batch = value;
        at = 0;
      } while (batch.length === 0);
      return { value: batch[at++] as Out, done: false };
    } finally {
      filling = undefined;
    }
  }

  function next(): Promise<IteratorResult<Out>> {
    if (filling !== undefined) return filling.then(next, next); // called again without waiting
    if (at < batch.length) return Promise.resolve({ value: batch[at++] as Out, done: false });
    filling = fill();
    return filling;
  }

  return {
    next,
    async return() {
      await source.return?.();
      return { value: undefined, done: true };
    },
  };
}

async function* deriveBatches<Out extends object>(
  source: ByteSource,
  agent: Agent,
  view: View<Out>,
  options: Omit<DeriveOptions, "view" | "agent">,
): AsyncIterable<readonly Out[]> {
  const stdout = await openSource(source);
  const stderr = options.stderr === undefined ? undefined : await openSource(options.stderr, "stderr file");
  const { cwd, model, prompt, exitCode, signal } = options;
  const absolute = cwd === undefined || isAbsolute(cwd) ? cwd : resolve(cwd);
  const run: RunInfo = { startedAt: stdout.startedAt, cwd: absolute, model, prompt };
  const line = pipeline(agent, view, run, decode, options);
  let last = stdout.startedAt;
  for await (const { bytes, at } of stdout.chunks()) {
    last = at;
    const records = line.bytes("stdout", bytes, at);
    if (records.length > 0) yield records;
  }
  // The order between the two streams was not recorded. stderr comes last, before the end that it may explain.
  yield line.close("stdout", last);
  for await (const { bytes } of stderr?.chunks() ?? []) {
    const records = line.bytes("stderr", bytes, last);
    if (records.length > 0) yield records;
  }
  if (exitCode !== undefined || signal !== undefined) {
    line.exit({ type: "exit", at: last, exitCode: exitCode ?? null, signal: signal ?? null, durationMs: null });
  }
  yield line.end(last);
}

export function findView(name: string): View {
  if (Object.hasOwn(views, name)) return views[name as ViewId];
  throw new HarnessError("usage", namedOrSuggest("view", name, Object.keys(views)), { option: "view" });
}
