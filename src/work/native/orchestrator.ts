import { untilGivenUp } from "../../host/process/index.ts";
import type { RecordedEvents, RecordOptions } from "../../host/recording/index.ts";
import { errorWords, HarnessError, isObject } from "../../pure/base/index.ts";
import { noUsage } from "../../pure/conversation/index.ts";
import type { Harness, HarnessEvent, RelayAnswer } from "../../pure/events/index.ts";
import type { AgentCall } from "./agent-call.ts";
import type { AgentHarness } from "./agent-harness.ts";
import { linkedSignal } from "./linked-signal.ts";
import { type NewId, newId } from "./new-id.ts";
import { places } from "./places.ts";
import { type RecordedTask, recordedHarness } from "./recorded-harness.ts";

export interface OrchestratorOptions {
  /** The agent for tasks without a harness. */
  readonly agent?: AgentHarness;
  /** How many agents work in parallel; the others wait. Default: no limit. */
  readonly maxAgents?: number;
  /** Records everything that is spawned; a `RecordedTask` is always recorded. Default: nothing is written. */
  readonly record?: boolean | Omit<RecordOptions, "runId" | "parentId" | "signal">;
  readonly newId?: NewId;
}

/** A task to spawn: for our agent, for any agent that `run` knows, or for your own harness with its parameters. */
export type SpawnTask = AgentCall | RecordedTask | { readonly harness: Harness<never>; readonly params: object };

export interface Orchestrator {
  /** Starts a task and returns the agent's id, which is its run's id. */
  spawn(task: SpawnTask): string;
  /** The events of all agents in one order; ends with the last agent. For one reader. */
  events(): AsyncGenerator<HarnessEvent, void>;
  /** Answers a `relay` of any agent; false if none waits for it. */
  resolveRelay(id: string, answer: RelayAnswer): boolean;
  /**
   * Stops an agent and its subagents; its remaining events still arrive. An agent that ignores its signal is given up after five seconds.
   * False if it is already gone.
   */
  kill(id: string): boolean;
  /** By agent id, from its first event on; empty without `record`. */
  readonly recordings: ReadonlyMap<string, Pick<RecordedEvents, "id" | "directory" | "sealed">>;
}

/** How long an agent may take to end after it was killed. */
const GRACE_MS = 5000;

interface Resolver {
  resolveRelay?(id: string, answer: RelayAnswer): boolean;
}

/** Runs many agents in parallel with one stream of events. A question stops only the agent that asked it. */
export function orchestrator({
  agent,
  maxAgents = Number.POSITIVE_INFINITY,
  record: wanted = false,
  newId: makeId = newId,
}: OrchestratorOptions = {}): Orchestrator {
  const place = places(maxAgents);
  const running = new Map<string, { readonly stop: () => void; readonly harness: Resolver }>();
  const recordings = new Map<string, RecordedEvents>();
  let waiting: HarnessEvent[] = [];
  let wake: (() => void) | undefined;
  let hasBegun = false;

  function push(event: HarnessEvent): void {
    waiting.push(event);
    wake?.();
  }

  function spawn(task: SpawnTask): string {
    const id = ("runId" in task ? task.runId : undefined) ?? makeId("agent");
    if (running.has(id)) throw new HarnessError("usage", `An agent with the id ${id} is already running. Use a different runId.`);
    const { harness, params, asked } = resolved(task, agent);
    const stop = new AbortController();
    const signal = linkedSignal(asked);
    signal.signal.addEventListener("abort", () => stop.abort(signal.signal.reason), { once: true });
    running.set(id, { stop: () => stop.abort(), harness: harness as Resolver });
    hasBegun = true;
    const invoke = () => harness.invoke({ ...params, runId: id, signal: stop.signal } as never);
    const limited = () => untilGivenUp(invoke(), stop.signal, GRACE_MS);
    const begin = "prompt" in task ? invoke : wanted === false ? limited : () => recorded(id, invoke, params, stop.signal);
    void place(() => pump(id, begin, stop.signal, parentOf(params))).finally(() => {
      signal.end();
      running.delete(id);
      wake?.();
    });
    return id;
  }

  async function* recorded(
    runId: string,
    invoke: () => AsyncIterable<HarnessEvent>,
    params: object,
    signal: AbortSignal,
  ): AsyncGenerator<HarnessEvent, void> {
    const { record } = await import("../../host/recording/index.ts");
    const source = { [Symbol.asyncIterator]: () => invoke()[Symbol.asyncIterator]() }; // a synchronous exception is recorded too
    const events = record(source, { ...aboutOf(params), ...(typeof wanted === "object" && wanted), runId, signal, graceMs: GRACE_MS });
    recordings.set(runId, events);
    yield* events;
  }

  /** A harness may throw if it is misused: its run still gets a beginning and an end. */
  async function pump(
    id: string,
    begin: () => AsyncIterable<HarnessEvent>,
    signal: AbortSignal,
    parent: { readonly parentId?: string },
  ): Promise<void> {
    let isOpen = false;
    const close = (message: string, code: string) => {
      if (!isOpen) push({ type: "harness_start", runId: id, ...parent, depth: 0 });
      push({ type: "error", runId: id, ...parent, id: `${id}/thrown`, message, code });
      push({ type: "harness_end", runId: id, ...parent, reason: "error", iterations: 0, totalUsage: noUsage });
    };
    if (signal.aborted) return close("Canceled", "canceled");
    try {
      for await (const event of begin()) {
        if (event.runId === id && event.type === "harness_start") isOpen = true;
        push(event);
        if (event.runId === id && event.type === "harness_end") return;
      }
      if (signal.aborted) close("Canceled", "canceled");
      else close("It ended without saying so", "internal");
    } catch (error) {
      if (signal.aborted) close("Canceled", "canceled");
      else close(errorWords(error), "internal");
    }
  }

  async function* events(): AsyncGenerator<HarnessEvent, void> {
    for (;;) {
      const batch = waiting;
      waiting = [];
      yield* batch;
      if (waiting.length > 0) continue;
      if (running.size === 0) {
        if (!hasBegun) await new Promise<void>((resolve) => setImmediate(resolve)); // spawning may follow in the same task
        if (running.size === 0 && waiting.length === 0) return;
        continue;
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  return {
    spawn,
    events,
    recordings,
    resolveRelay: (id, answer) => [...running.values()].some(({ harness }) => harness.resolveRelay?.(id, answer) === true),
    kill(id) {
      const found = running.get(id);
      found?.stop();
      return found !== undefined;
    },
  };
}

/** What a recording knows about a task before its first event. */
function aboutOf(params: object): Pick<RecordOptions, "model" | "prompt" | "parentId"> {
  const { model, prompt, messages }: Partial<Record<string, unknown>> = { ...params };
  const said: readonly unknown[] = Array.isArray(messages) ? messages : [];
  const asked = said.findLast((message) => isObject(message) && message["role"] === "user") ?? { content: prompt };
  return {
    ...(typeof model === "string" && { model }),
    ...(isObject(asked) && typeof asked["content"] === "string" && { prompt: asked["content"] }),
    ...parentOf(params),
  };
}

function parentOf(params: { readonly parentId?: unknown }): { readonly parentId?: string } {
  return typeof params.parentId === "string" ? { parentId: params.parentId } : {};
}

function resolved(
  task: SpawnTask,
  agent: AgentHarness | undefined,
): { readonly harness: Harness<never>; readonly params: object; readonly asked: AbortSignal | undefined } {
  const asked = "signal" in task ? task.signal : undefined;
  if ("harness" in task) return { harness: task.harness, params: task.params, asked };
  if ("prompt" in task) return { harness: recordedHarness() as Harness<never>, params: task, asked };
  if (agent === undefined)
    throw new HarnessError("usage", "Tasks without a harness need an agent: pass an `agent` (agentHarness) to the orchestrator.");
  return { harness: agent as Harness<never>, params: task, asked };
}
