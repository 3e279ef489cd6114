import { join } from "node:path";
import { isAgentFile } from "../../../pure/agents/index.ts";
import { HarnessError, isObject } from "../../../pure/base/index.ts";
import type { Event } from "../../../pure/events/index.ts";
import type { View, ViewOptions } from "../../../pure/pipeline/index.ts";
import type { ViewId } from "../../../pure/views/index.ts";
import { requireLevel } from "../../isolation/index.ts";
import { loadConversation, localLauncher } from "../../process/index.ts";
import { type Derivation, evaluatedOf, findView, type OutputOf, oneByOne } from "../derive/index.ts";
import { type DataDirectory, dataDirectory, dataDirectoryAt, findRun, type RunManifest, runPaths, type Seal } from "../format/index.ts";
import { loadAgent } from "../own/index.ts";
import { startClock } from "./clock.ts";
import { earlierRun } from "./earlier-run.ts";
import { usualViews } from "./kept-views.ts";
import { liveView } from "./live-view.ts";
import { sealPath } from "./outside.ts";
import { planRun } from "./plan-run.ts";
import { recordRun } from "./record-run.ts";
import { createRunDirectory, describeRun } from "./run-directory.ts";
import type { RunOptions } from "./run-options.ts";
import type { RunPlan } from "./run-plan.ts";
import { type SinkReport, sinksOf } from "./sink.ts";
import { checkKey, sign } from "./ssh-signature.ts";
import type { Witness } from "./witness.ts";

/** A run that was started. */
export interface LiveRun<Out> {
  readonly id: string;
  readonly directory: string;
  /** The records of the view, as they become known. Read it once. A slow reader is served from disk. */
  batches(): AsyncGenerator<readonly Out[], void>;
  /** Asks the agent to stop; a second call kills it immediately. */
  cancel(): void;
  readonly sealed: Promise<Seal>;
  /** How its sinks fared; settles some time after the run is sealed. Never rejects. */
  readonly delivered: Promise<readonly SinkReport[]>;
}

/** Starts a run. Resolves when everything is ready and the agent is being started. If it rejects, nothing is left behind. */
export async function startRun<Out extends object>(
  plan: RunPlan,
  options: RunOptions,
  view: View<Out>,
  viewOptions: ViewOptions = {},
  witness?: Witness,
): Promise<LiveRun<Out>> {
  options.signal?.throwIfAborted();
  if (options.sign !== undefined) await checkKey(options.sign);
  const attach = sinksOf(options.sinks);
  const speak = plan.agent.protocol === undefined ? undefined : await loadConversation();
  const data = dataOf(options);
  const launcher = await launcherFacts(plan);
  const isolation = await isolationOf(plan, options, launcher?.about?.["limits"]);
  try {
    options.signal?.throwIfAborted(); // the probe takes a moment
    return await started();
  } catch (error) {
    plan.isolation?.close();
    throw error;
  }

  async function started(): Promise<LiveRun<Out>> {
    const clock = startClock();
    const kept = [...usualViews, ...(witness?.views ?? [])];
    const labels = { ...options, out: witness?.out, launcher, isolation };
    const about = { ...plan, command: plan };
    const described = describeRun(about, labels, kept, clock.startedAt);
    const { manifest } = described;
    const { id } = plan;
    const { directory } = runPaths(join(data.runs, id));
    const place = { id, directory, manifest, agent: plan.agent };
    const shown = liveView(place, view, { ...viewOptions, evaluated: evaluatedOf(manifest) });
    const sinks = attach(place); // its views are open now: one that cannot be opened leaves nothing behind
    const open = await createRunDirectory(data, about, described, kept);
    const pass = (events: readonly Event[]) => {
      shown.push(events);
      sinks.push(events);
    };
    const running = recordRun(open, plan, options, clock, pass, speak, witness);
    const { signal } = options;
    const onAbort = () => running.cancel();
    signal?.addEventListener("abort", onAbort);
    const sealed = signedBy(options.sign, running.sealed, [
      runPaths(directory).manifest,
      ...(witness?.out === undefined ? [] : [sealPath(witness.out)]),
    ]);
    sealed.finally(() => signal?.removeEventListener("abort", onAbort)).catch(() => {});
    const close = (error?: unknown) => {
      shown.close(error);
      sinks.close();
    };
    sealed.then(() => close(), close);
    return { id, directory, batches: () => shown.batches(), cancel: () => running.cancel(), sealed, delivered: sinks.delivered };
  }
}

/** Builds the walls and tries them. Rejects if they do not hold, or are less than the run requires. */
async function isolationOf(
  { isolation, binary, args, cwd, env }: RunPlan,
  { requireIsolation }: RunOptions,
  limits: unknown,
): Promise<RunManifest["isolation"]> {
  if (requireIsolation !== undefined && isolation === undefined)
    throw new HarnessError("usage", "`requireIsolation` and `launcher` cannot be combined.", { option: "requireIsolation" });
  const evidence = await isolation?.prepare({ binary, args, cwd, env }, isObject(limits) ? limits : undefined);
  try {
    if (evidence !== undefined && requireIsolation !== undefined) requireLevel(evidence, requireIsolation);
  } catch (error) {
    isolation?.close();
    throw error;
  }
  return evidence;
}

/** Signs the seal of a run, as soon as it is written. */
async function signedBy(key: string | undefined, sealed: Promise<Seal>, files: readonly string[]): Promise<Seal> {
  const seal = await sealed;
  if (key !== undefined) for (const file of files) await sign(file, key);
  return seal;
}

/** What the recording says about the launcher. Rejects if the launcher cannot start anything. */
async function launcherFacts({ launcher, binary, args, cwd, env }: RunPlan): Promise<RunManifest["launcher"]> {
  if (launcher.id === localLauncher.id) return undefined;
  const about = await launcher.probe?.({ binary, args, cwd, env });
  if (about !== undefined && !isObject(about))
    throw new HarnessError("usage", `probe() of the launcher ${launcher.id} must resolve with an object.`, { option: "launcher" });
  return { id: launcher.id, ...(about !== undefined && { about }) };
}

export function dataOf({ dataDirectory: root, environment }: Pick<RunOptions, "dataDirectory" | "environment">): DataDirectory {
  if (root !== undefined && typeof root !== "string")
    throw new HarnessError("usage", "`dataDirectory` must be a path.", { option: "dataDirectory" });
  return root === undefined ? dataDirectory(environment ?? process.env) : dataDirectoryAt(root);
}

/** The options of `run`: those of the run itself, and how to show it. */
export interface RunCall<V extends ViewId | View = ViewId> extends RunOptions, ViewOptions {
  /** Default: `stream`. */
  readonly view?: V;
  /** Called when the run has an id and a directory. */
  readonly onStart?: (run: { readonly id: string; readonly directory: string }) => void;
  /** Called at the end, if there are sinks, with a report for each. */
  readonly onDelivered?: (reports: readonly SinkReport[]) => void;
}

/**
 * Runs an agent, records every byte, and yields the records of a view as they become known. Starts when it is iterated. Leaving the loop
 * early cancels the run. So does the signal; then the iteration throws its reason once the run is sealed.
 */
export function run<V extends ViewId | View = "stream">(options: RunCall<V>): Derivation<OutputOf<V>> {
  type Out = OutputOf<V>;
  const view = (typeof options.view === "object" ? options.view : findView(options.view ?? "stream")) as View<Out>;
  const batches = () => runBatches(options, view);
  return { batches, [Symbol.asyncIterator]: () => oneByOne(batches()) };
}

async function* runBatches<Out extends object>(options: RunCall<ViewId | View>, view: View<Out>): AsyncGenerator<readonly Out[]> {
  if (typeof options?.prompt !== "string") throw new HarnessError("usage", "`prompt` must be a string that describes the task.");
  const earlier = options.resume === undefined ? undefined : await earlierRun(findRun(dataOf(options), options.resume), options.resumeAt);
  const isFile = typeof options.agent === "string" && isAgentFile(options.agent);
  const plan = planRun(isFile ? { ...options, agent: await loadAgent(options.agent as string) } : options, earlier);
  const live = await startRun(plan, { ...options, timeoutMs: options.timeoutMs ?? plan.agent.timeoutMs }, view, options);
  let isDone = false;
  try {
    options.onStart?.({ id: live.id, directory: live.directory });
    yield* live.batches();
    isDone = true;
  } finally {
    if (!isDone) live.cancel();
    await live.sealed.catch(() => {});
    options.onDelivered?.(await live.delivered);
  }
  options.signal?.throwIfAborted();
}
