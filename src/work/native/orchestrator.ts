import type { RecordedEvents, RecordOptions } from "../../host/recording/index.ts";
import { errorWords, HarnessError, isObject } from "../../pure/base/index.ts";
import { noUsage } from "../../pure/conversation/index.ts";
import type { Harness, HarnessEvent } from "../../pure/events/index.ts";
import type { AgentCall, AgentHarness } from "./agent-harness.ts";
import { linkedSignal } from "./linked-signal.ts";
import { type NewId, newId } from "./new-id.ts";
import { places } from "./places.ts";
import { type RecordedTask, recordedHarness } from "./recorded-harness.ts";
import type { RelayAnswer } from "./relays.ts";

export interface OrchestratorOptions {
  /** Who does what is spawned without a harness of its own. */
  readonly agent?: AgentHarness;
  /** How many work at once; the others wait for their turn. Default: all of them. */
  readonly maxAgents?: number;
  /** Records everything that is spawned; what is given a prompt is recorded anyway. Default: nothing is written. */
  readonly record?: boolean | Omit<RecordOptions, "runId" | "parentId" | "signal">;
  readonly newId?: NewId;
}

/** What can be spawned: a task for an agent of ours, one for any agent that `run` knows, or a harness of one's own with its parameters. */
export type SpawnTask = AgentCall | RecordedTask | { readonly harness: Harness<never>; readonly params: object };

export interface Orchestrator {
  /** Begins; answers with the id of the agent, which is that of its run. */
  spawn(task: SpawnTask): string;
  /** Everything that all of them say, in one order; ends when the last of them has ended. For one reader. */
  events(): AsyncGenerator<HarnessEvent, void>;
  /** Answers a `relay`, whichever agent waits for it; false where none does. */
  resolveRelay(id: string, answer: RelayAnswer): boolean;
  /** Ends an agent and all that works for it; its events still come to their end. False where it is not there any more. */
  kill(id: string): boolean;
  /** By the id of the agent, from its first event on; empty where `record` was not asked for. */
  readonly recordings: ReadonlyMap<string, Pick<RecordedEvents, "id" | "directory" | "sealed">>;
}

interface Resolver {
  resolveRelay?(id: string, answer: RelayAnswer): boolean;
}

/** Many agents at once: one stream of events, in which a question stops only the agent that asked it. */
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
    if (running.has(id)) throw new HarnessError("usage", `An agent called ${id} is at work already; give this one another runId.`);
    const { harness, params, asked } = resolved(task, agent);
    const stop = new AbortController();
    const signal = linkedSignal(asked);
    signal.signal.addEventListener("abort", () => stop.abort(signal.signal.reason), { once: true });
    running.set(id, { stop: () => stop.abort(), harness: harness as Resolver });
    hasBegun = true;
    const invoke = () => harness.invoke({ ...params, runId: id, signal: stop.signal } as never);
    const begin = wanted === false || "prompt" in task ? invoke : () => recorded(id, invoke, params);
    void place(() => pump(id, begin, stop.signal)).finally(() => {
      signal.end();
      running.delete(id);
      wake?.();
    });
    return id;
  }

  async function* recorded(runId: string, invoke: () => AsyncIterable<HarnessEvent>, params: object): AsyncGenerator<HarnessEvent, void> {
    const { record } = await import("../../host/recording/index.ts");
    const source = { [Symbol.asyncIterator]: () => invoke()[Symbol.asyncIterator]() }; // what is thrown at once is recorded, too
    const events = record(source, { ...aboutOf(params), ...(typeof wanted === "object" && wanted), runId });
    recordings.set(runId, events);
    yield* events;
  }

  /** A harness may throw where it was misused: its run has a beginning and an end all the same. */
  async function pump(id: string, begin: () => AsyncIterable<HarnessEvent>, signal: AbortSignal): Promise<void> {
    let isOpen = false;
    const close = (message: string, code: string) => {
      if (!isOpen) push({ type: "harness_start", runId: id, depth: 0 });
      push({ type: "error", runId: id, id: `${id}/thrown`, message, code });
      push({ type: "harness_end", runId: id, reason: "error", iterations: 0, totalUsage: noUsage });
    };
    if (signal.aborted) return close("Canceled", "canceled");
    try {
      for await (const event of begin()) {
        if (event.runId === id && event.type === "harness_start") isOpen = true;
        push(event);
        if (event.runId === id && event.type === "harness_end") return;
      }
      close("It ended without saying so", "internal");
    } catch (error) {
      close(errorWords(error), "internal");
    }
  }

  async function* events(): AsyncGenerator<HarnessEvent, void> {
    for (;;) {
      const batch = waiting;
      waiting = [];
      yield* batch;
      if (waiting.length > 0) continue;
      if (hasBegun && running.size === 0) return;
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

/** What a recording can say of a task before its first event. */
function aboutOf(params: object): Pick<RecordOptions, "model" | "prompt" | "parentId"> {
  const { model, prompt, messages, parentId }: Partial<Record<string, unknown>> = { ...params };
  const said: readonly unknown[] = Array.isArray(messages) ? messages : [];
  const asked = said.findLast((message) => isObject(message) && message["role"] === "user") ?? { content: prompt };
  return {
    ...(typeof model === "string" && { model }),
    ...(isObject(asked) && typeof asked["content"] === "string" && { prompt: asked["content"] }),
    ...(typeof parentId === "string" && { parentId }),
  };
}

function resolved(
  task: SpawnTask,
  agent: AgentHarness | undefined,
): { readonly harness: Harness<never>; readonly params: object; readonly asked: AbortSignal | undefined } {
  const asked = "signal" in task ? task.signal : undefined;
  if ("harness" in task) return { harness: task.harness, params: task.params, asked };
  if ("prompt" in task) return { harness: recordedHarness() as Harness<never>, params: task, asked };
  if (agent === undefined)
    throw new HarnessError("usage", "Give the orchestrator an agent (agentHarness) to do what is spawned without one.");
  return { harness: agent as Harness<never>, params: task, asked };
}
