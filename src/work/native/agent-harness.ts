import { NATIVE } from "../../pure/agents/index.ts";
import { addUsage, noUsage } from "../../pure/conversation/index.ts";
import type { Harness, HarnessEvent, HarnessEventOf, RelayAnswer, Usage } from "../../pure/events/index.ts";
import type { AgentCall } from "./agent-call.ts";
import { type Spending, spending } from "./budget.ts";
import { type CallLoop, callLoop } from "./call-loop.ts";
import { contextKeeper, isOverflow, isSummary } from "./context/index.ts";
import { FINAL_ANSWER, finalAnswer, GIVE_ANSWER } from "./final-answer.ts";
import { linkedSignal } from "./linked-signal.ts";
import type { ModelMessage } from "./model-message.ts";
import { modelsOf } from "./models-of.ts";
import { type NewId, newId } from "./new-id.ts";
import { oneAnswer } from "./one-answer.ts";
import { type PermissionDesk, permissionDesk } from "./permissions.ts";
import type { ProviderCall, ProviderHarness } from "./provider-harness.ts";
import { openRelays } from "./relays.ts";
import { type RetryOptions, retryPlan, waited } from "./retry.ts";
import { type AgentSession, openSession, type SessionEnd, type SessionOptions } from "./session.ts";
import { type Step, stepOf } from "./step.ts";
import type { Tools } from "./tool.ts";
import type { SubagentEnd } from "./tool-context.ts";
import { type Turn, textOf } from "./turn.ts";
import { withParent } from "./with-parent.ts";

export interface AgentOptions extends RetryOptions {
  /** Calls the model: `providerHarness()`, or anything that yields the same events. */
  readonly provider: Harness<ProviderCall> & Partial<Pick<ProviderHarness, "supportedModels">>;
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

/** What a run shares with its subagents. */
interface Shared {
  readonly desk: PermissionDesk;
  readonly spent: Spending;
}

/** An agent: a model that calls tools until it is done. */
export function agentHarness(options: AgentOptions): AgentHarness {
  const { provider, concurrency = 8, maxDepth = 2 } = options;
  const makeId = options.newId ?? newId;
  const relays = openRelays();

  function invoke(call: AgentCall, shared?: Shared): AsyncGenerator<HarnessEvent, SessionEnd> {
    const runId = call.runId ?? makeId("agent");
    return withParent(worked(call, runId, shared), runId, call.parentId);
  }

  async function* worked(call: AgentCall, runId: string, shared?: Shared): AsyncGenerator<HarnessEvent, SessionEnd> {
    const { model, maxIterations = MOST_ITERATIONS, depth = 0 } = call;
    const final = call.output === undefined ? undefined : finalAnswer(call.output);
    const tools: Tools = { ...call.tools, ...final?.tools };
    const stop = linkedSignal(call.signal);
    const { desk, spent } = shared ?? { desk: permissionDesk(call.permissions), spent: spending(call.budget ?? {}) };
    const timer = shared === undefined && spent.msLeft !== undefined ? setTimeout(() => stop.end(), spent.msLeft) : undefined;
    const keeper = contextKeeper({ ...call.context, runId, model: nameOf(model), ask: (system, messages) => one({ system, messages }) });
    const steps: Step[] = [];
    let messages = [...call.messages];
    let usage: Usage = noUsage;
    let iterations = 0;
    let [steered, retried, nudges] = [0, 0, 0];
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
      hooks: call.hooks ?? {},
      state: call.state ?? new Map(),
      abandon: () => stop.end(),
      relayId: () => makeId("relay"),
      subagent: depth + 1 >= maxDepth ? undefined : startSubagent,
    });

    yield { type: "harness_start", runId, depth, maxIterations, agent: NATIVE, model: nameOf(model) };
    try {
      for (const [index, content] of newTexts(messages).entries()) yield { type: "user", runId, id: `${runId}/user-${index}`, content };
      reason = yield* loop();
    } catch (error) {
      // A bug in our code, or in a custom provider or tool: the run still gets an end.
      yield trouble("error", error instanceof Error ? error.message : String(error), "internal");
    } finally {
      clearTimeout(timer);
      stop.end();
    }
    yield { type: "harness_end", runId, reason, iterations, totalUsage: usage };
    const answer = final?.answer();
    return { runId, text, reason, messages, ...(answer !== undefined && { output: answer.value }) };

    function trouble(id: string, message: string, code: string): HarnessEvent {
      return { type: "error", runId, id: `${runId}/${id}`, message, code };
    }

    async function* loop(): AsyncGenerator<HarnessEvent, typeof reason> {
      for (;;) {
        yield* steer();
        const isLast = iterations >= maxIterations;
        if (isLast) yield say("user-end", SUM_UP);
        for (let level = 0; level < 2 && keeper.isFull(messages); level++) yield* shrink("size", level);
        const { turn, from } = yield* answered(isLast);
        if (turn.message !== undefined) text = textOf(turn) || text;
        if (isLast && turn.failure?.code !== "canceled") return "max_iterations";
        if (turn.failure !== undefined) return yield* failed(turn.failure.code === "canceled" ? "told" : "other");
        iterations++;
        if (turn.isCut) yield trouble(`cut-${iterations}`, CUT_SHORT, "output_limit");
        if (turn.message !== undefined) messages.push(turn.message);
        keeper.see(messages, turn.usage);
        if (turn.calls.length === 0) {
          if (yield* steer()) continue;
          if (final === undefined) return "final";
          if (nudges++ < MOST_NUDGES) yield say(`user-answer-${nudges}`, GIVE_ANSWER);
          else {
            yield trouble("error", `The model did not call ${FINAL_ANSWER}`, "output");
            return "error";
          }
          continue;
        }
        const results = yield* calls(turn.calls, messages, from);
        messages.push({ role: "tool", content: results });
        if (stop.signal.aborted) return yield* failed("canceled");
        if (final?.answer() !== undefined) return "final";
        const over = spent.exceeded();
        if (over !== undefined) {
          yield trouble("budget", over, "budget");
          return "error";
        }
        if (call.stopWhen === undefined && call.prepareStep === undefined) continue;
        steps.push(stepOf(turn, results));
        if (await isStopped(call.stopWhen, steps)) return "final";
      }
    }

    /** A run whose time was over was not canceled. `told`: the model's run has reported that it was stopped. */
    async function* failed(why: "canceled" | "told" | "other"): AsyncGenerator<HarnessEvent, "error"> {
      const over = why === "other" || call.signal?.aborted ? undefined : spent.exceeded();
      if (over !== undefined) yield trouble("budget", over, "budget");
      else if (why === "canceled") yield trouble("error", "Canceled", "canceled");
      return "error";
    }

    /** Adds what the user said meanwhile; false if that is nothing. */
    async function* steer(): AsyncGenerator<HarnessEvent, boolean> {
      const said = call.steering?.() ?? [];
      for (const content of said) yield say(`steer-${steered++}`, content);
      return said.length > 0;
    }

    function say(id: string, content: string): HarnessEvent {
      messages.push({ role: "user", content });
      return { type: "user", runId, id: `${runId}/${id}`, content };
    }

    async function* shrink(trigger: "size" | "overflow", level: number): AsyncGenerator<HarnessEvent, void> {
      messages = yield* keeper.compact(messages, trigger, level);
    }

    /** Calls the model, and retries if that may help: later, or with a shorter conversation. */
    async function* answered(mayNotCall: boolean): AsyncGenerator<HarnessEvent, { readonly turn: Turn; readonly from: string }> {
      const plan = retryPlan(options);
      const change = await call.prepareStep?.({ steps, stepNumber: iterations, messages });
      for (let level = 0; ; ) {
        const offered = change?.activeTools === undefined ? tools : only(tools, change.activeTools);
        const { turn, from } = yield* asked({
          ...(change?.model !== undefined && { model: change.model }),
          ...(change?.system !== undefined && { system: change.system }),
          messages: [...(change?.messages ?? messages)],
          tools: offered,
          mayNotCall,
          ...(nudges > 0 && { mustCall: FINAL_ANSWER }),
        });
        if (turn.failure === undefined || stop.signal.aborted) return { turn, from };
        if (isOverflow(turn.failure) && level < 2 && change?.messages === undefined) {
          yield* shrink("overflow", level++);
          continue;
        }
        const delay = plan.next(turn.failure);
        if (delay === undefined) return { turn, from };
        yield trouble(
          `retry-${++retried}`,
          `Asking again in ${inSeconds(delay)} (retry ${plan.attempts}): ${turn.failure.message}`,
          "retry",
        );
        if (!(await waited(delay, stop.signal))) return { turn, from };
      }
    }

    async function* asked(change: Partial<ProviderCall>): AsyncGenerator<HarnessEvent, { readonly turn: Turn; readonly from: string }> {
      const { messages: _, tools: __, runId: ___, parentId: ____, ...rest } = modelCall(call);
      const asking = { ...rest, messages, ...change, signal: stop.signal, parentId: runId, depth: depth + 1 };
      const { turn, from = runId } = yield* oneAnswer(provider, asking);
      const isUntold = turn.message !== undefined && turn.usage.inputTokens === null;
      usage = addUsage(usage, isUntold ? { ...turn.usage, incomplete: true } : turn.usage);
      spent.add(turn.usage, nameOf(asking.model));
      return { turn, from };
    }

    async function* one(change: Partial<ProviderCall>): AsyncGenerator<HarnessEvent, Turn> {
      return (yield* asked(change)).turn;
    }

    function startSubagent(callId: string, asked: readonly ModelMessage[]): AsyncGenerator<HarnessEvent, SubagentEnd> {
      const { messages: _, runId: __, steering: ___, output: ____, stopWhen: _____, prepareStep: ______, state: _______, ...rest } = call;
      const given = withoutTask(call.tools ?? {}, depth + 2 >= maxDepth);
      return invoke({ ...rest, messages: asked, signal: stop.signal, parentId: callId, depth: depth + 1, tools: given }, { desk, spent });
    }
  }

  return {
    invoke: (call) => invoke(call),
    session: (given) => openSession((call) => invoke(call), given),
    resolveRelay: (id, answer) => relays.resolve(id, answer),
    supportedModels: (of) => modelsOf(provider, of),
  };
}

/** Without the fields that only the loop reads. */
function modelCall(call: AgentCall): ProviderCall {
  const { permissions, maxIterations, parallelTools, steering, context, budget, output, stopWhen, prepareStep, hooks, state, ...rest } =
    call;
  return rest;
}

function nameOf(model: ProviderCall["model"]): string {
  return typeof model === "string" ? model : `${model.provider}/${model.modelId}`;
}

function only(tools: Tools, names: readonly string[]): Tools {
  return Object.fromEntries(Object.entries(tools).filter(([name]) => names.includes(name) || name === FINAL_ANSWER));
}

async function isStopped(conditions: AgentCall["stopWhen"] = [], steps: Step[]): Promise<boolean> {
  const all = typeof conditions === "function" ? [conditions] : conditions;
  for (const condition of all) if (await condition({ steps })) return true;
  return false;
}

function inSeconds(milliseconds: number): string {
  return `${Number((milliseconds / 1000).toPrecision(2))} s`;
}

/** How many times to ask a model for its answer in the required form. */
const MOST_NUDGES = 2;

const CUT_SHORT = "The model reached its output limit: its answer is cut off";

/** The messages that are new in this run; an earlier run has reported the others. */
function newTexts(messages: readonly ModelMessage[]): readonly string[] {
  const before = messages.findLastIndex(({ role }) => role === "assistant" || role === "tool");
  return messages.slice(before + 1).flatMap((message) => {
    const { role, content } = message;
    if (role !== "user" || isSummary(message)) return [];
    return typeof content === "string"
      ? [content]
      : [content.map((part) => (part.type === "text" ? part.text : `(${part.type})`)).join("\n")];
  });
}

/** An agent at the last level has no tool for subagents. */
function withoutTask(tools: Tools, isDeepest: boolean): Tools {
  return isDeepest ? Object.fromEntries(Object.entries(tools).filter(([name]) => name !== "task")) : tools;
}
