import { NATIVE } from "../../pure/agents/index.ts";
import { addUsage, noUsage } from "../../pure/conversation/index.ts";
import type { Harness, HarnessEvent, HarnessEventOf, RelayAnswer, Usage } from "../../pure/events/index.ts";
import type { AgentCall } from "./agent-call.ts";
import { type CallLoop, callLoop } from "./call-loop.ts";
import { linkedSignal } from "./linked-signal.ts";
import type { ModelMessage } from "./model-message.ts";
import { modelsOf } from "./models-of.ts";
import { type NewId, newId } from "./new-id.ts";
import { oneAnswer } from "./one-answer.ts";
import { type PermissionDesk, permissionDesk } from "./permissions.ts";
import type { ProviderCall, ProviderHarness } from "./provider-harness.ts";
import { openRelays } from "./relays.ts";
import { retryDelay, waited } from "./retry.ts";
import { type AgentSession, openSession, type SessionEnd, type SessionOptions } from "./session.ts";
import type { Tools } from "./tool.ts";
import type { SubagentEnd } from "./tool-context.ts";
import { type Turn, textOf } from "./turn.ts";
import { withParent } from "./with-parent.ts";

export interface AgentOptions {
  /** Calls the model: `providerHarness()`, or anything that yields the same events. */
  readonly provider: Harness<ProviderCall> & Partial<Pick<ProviderHarness, "supportedModels">>;
  /** How many times to retry a failed model call, if a retry may help. Default: 2. */
  readonly retries?: number;
  /** How many tool calls that only read run in parallel. Default: 8. */
  readonly concurrency?: number;
  /** How many levels of agents there may be. Default: 2, so that a subagent has no subagents. */
  readonly maxDepth?: number;
  readonly newId?: NewId;
}

export interface AgentHarness extends Harness<AgentCall> {
  /** Returns how it ended, with the messages that the model has seen. */
  invoke(call: AgentCall): AsyncGenerator<HarnessEvent, SessionEnd>;
  /** A conversation: send, steer, cancel, resume from a recording, fork at any node. */
  session(options: SessionOptions): AgentSession;
  /** Answers a `relay` of any of its runs; false if none waits for it. */
  resolveRelay(id: string, answer: RelayAnswer): boolean;
  /** The models of its provider. Rejects if the provider does not list them. */
  supportedModels(provider?: string): Promise<readonly string[]>;
}

const MOST_ITERATIONS = 50;

const SUM_UP = "You have used all your turns, and no more tools will run. Say briefly what is done and what is left to do.";

/** An agent: a model that calls tools until it is done. */
export function agentHarness(options: AgentOptions): AgentHarness {
  const { provider, retries = 2, concurrency = 8, maxDepth = 2 } = options;
  const makeId = options.newId ?? newId;
  const relays = openRelays();

  function invoke(call: AgentCall, shared?: PermissionDesk): AsyncGenerator<HarnessEvent, SessionEnd> {
    const runId = call.runId ?? makeId("agent");
    return withParent(worked(call, runId, shared), runId, call.parentId);
  }

  async function* worked(call: AgentCall, runId: string, shared?: PermissionDesk): AsyncGenerator<HarnessEvent, SessionEnd> {
    const { model, tools = {}, maxIterations = MOST_ITERATIONS, depth = 0 } = call;
    const stop = linkedSignal(call.signal);
    const desk = shared ?? permissionDesk(call.permissions);
    const messages = [...call.messages];
    let usage: Usage = noUsage;
    let iterations = 0;
    let steered = 0;
    let text = "";
    let reason: HarnessEventOf<"harness_end">["reason"] = "error";
    const calls: CallLoop = callLoop({
      runId,
      tools,
      desk,
      relays,
      signal: stop.signal,
      concurrency,
      parallelTools: call.parallelTools ?? [],
      abandon: () => stop.end(),
      relayId: () => makeId("relay"),
      subagent: depth + 1 >= maxDepth ? undefined : startSubagent,
    });

    yield {
      type: "harness_start",
      runId,
      depth,
      maxIterations,
      agent: NATIVE,
      model: typeof model === "string" ? model : `${model.provider}/${model.modelId}`,
    };
    try {
      for (const [index, content] of newTexts(messages).entries()) yield { type: "user", runId, id: `${runId}/user-${index}`, content };
      reason = yield* loop();
    } catch (error) {
      // A bug in our code, or in a custom provider or tool: the run still gets an end.
      yield {
        type: "error",
        runId,
        id: `${runId}/error`,
        message: error instanceof Error ? error.message : String(error),
        code: "internal",
      };
    } finally {
      stop.end();
    }
    yield { type: "harness_end", runId, reason, iterations, totalUsage: usage };
    return { runId, text, reason, messages };

    async function* loop(): AsyncGenerator<HarnessEvent, typeof reason> {
      for (;;) {
        for (const content of call.steering?.() ?? []) {
          messages.push({ role: "user", content });
          yield { type: "user", runId, id: `${runId}/steer-${steered++}`, content };
        }
        const isLast = iterations >= maxIterations;
        if (isLast) {
          messages.push({ role: "user", content: SUM_UP });
          yield { type: "user", runId, id: `${runId}/user-end`, content: SUM_UP };
        }
        const { turn, from } = yield* answered(isLast);
        if (turn.message !== undefined) text = textOf(turn) || text;
        if (isLast && turn.failure?.code !== "canceled") return "max_iterations";
        if (turn.failure !== undefined) return "error";
        iterations++;
        if (turn.isCut) yield { type: "error", runId, id: `${runId}/cut-${iterations}`, message: CUT_SHORT, code: "output_limit" };
        if (turn.message !== undefined) messages.push(turn.message);
        if (turn.calls.length === 0) return "final";
        messages.push({ role: "tool", content: yield* calls(turn.calls, messages, from) });
        if (stop.signal.aborted) {
          yield { type: "error", runId, id: `${runId}/error`, message: "Canceled", code: "canceled" };
          return "error";
        }
      }
    }

    /** Calls the model, and retries after a delay if that may help. */
    async function* answered(mayNotCall: boolean): AsyncGenerator<HarnessEvent, { readonly turn: Turn; readonly from: string }> {
      for (let attempt = 0; ; attempt++) {
        const { turn, from } = yield* asked(mayNotCall);
        usage = addUsage(usage, turn.usage);
        const delay = attempt < retries && !stop.signal.aborted ? retryDelay(turn, attempt) : undefined;
        if (delay === undefined || !(await waited(delay, stop.signal))) return { turn, from };
      }
    }

    async function* asked(mayNotCall: boolean): AsyncGenerator<HarnessEvent, { readonly turn: Turn; readonly from: string }> {
      const { permissions: _, maxIterations: __, runId: ___, parallelTools: ____, steering: _____, ...rest } = call;
      const asking = { ...rest, messages: [...messages], tools, mayNotCall, signal: stop.signal, parentId: runId, depth: depth + 1 };
      const { turn, from = runId } = yield* oneAnswer(provider, asking);
      return { turn, from };
    }

    function startSubagent(callId: string, asked: readonly ModelMessage[]): AsyncGenerator<HarnessEvent, SubagentEnd> {
      const { messages: _, runId: __, steering: ___, ...rest } = call;
      return invoke(
        {
          ...rest,
          messages: asked,
          signal: stop.signal,
          parentId: callId,
          depth: depth + 1,
          tools: withoutTask(tools, depth + 2 >= maxDepth),
        },
        desk,
      );
    }
  }

  return {
    invoke: (call) => invoke(call),
    session: (given) => openSession((call) => invoke(call), given),
    resolveRelay: (id, answer) => relays.resolve(id, answer),
    supportedModels: (of) => modelsOf(provider, of),
  };
}

const CUT_SHORT = "The model reached its output limit: its answer is cut off";

/** The messages that are new in this run; an earlier run has reported the others. */
function newTexts(messages: readonly ModelMessage[]): readonly string[] {
  const before = messages.findLastIndex(({ role }) => role === "assistant" || role === "tool");
  return messages.slice(before + 1).flatMap(({ role, content }) => {
    if (role !== "user") return [];
    return typeof content === "string"
      ? [content]
      : [content.map((part) => (part.type === "text" ? part.text : `(${part.type})`)).join("\n")];
  });
}

/** An agent at the last level has no tool for subagents. */
function withoutTask(tools: Tools, isDeepest: boolean): Tools {
  return isDeepest ? Object.fromEntries(Object.entries(tools).filter(([name]) => name !== "task")) : tools;
}
