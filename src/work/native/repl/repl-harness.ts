import { RLM } from "../../../pure/agents/index.ts";
import { errorWords } from "../../../pure/base/index.ts";
import { addUsage, noUsage } from "../../../pure/conversation/index.ts";
import type { Harness, HarnessEvent, HarnessEventOf, RelayAnswer, ToolOutput, Usage } from "../../../pure/events/index.ts";
import { callOrder } from "../call-order.ts";
import { channel } from "../channel.ts";
import { linkedSignal } from "../linked-signal.ts";
import type { ModelMessage } from "../model-message.ts";
import { modelsOf } from "../models-of.ts";
import { type NewId, newId } from "../new-id.ts";
import { performCall } from "../perform-call.ts";
import { type AgentPermissions, type PermissionDesk, permissionDesk } from "../permissions.ts";
import { places } from "../places.ts";
import type { ProviderCall, ProviderHarness } from "../provider-harness.ts";
import { openRelays } from "../relays.ts";
import type { SubagentEnd } from "../tool-context.ts";
import { withParent } from "../with-parent.ts";
import { workspaceTools } from "../workspace-tools.ts";
import { answerAsk, type Helpers } from "./answer-ask.ts";
import { askModel } from "./ask-model.ts";
import { codeOf, finalOf } from "./code-of.ts";
import { type Engine, type EngineLimits, openEngine } from "./engine.ts";
import { NEW_CONSOLE, NO_CODE, outputText, questionOf, replPrompt, SHOWN, SUM_UP } from "./repl-prompt.ts";

export interface ReplOptions {
  /** Calls the model: `providerHarness()`, or anything that yields the same events. */
  readonly provider: Harness<ProviderCall> & Partial<Pick<ProviderHarness, "supportedModels">>;
  /** How many levels there may be. Default: 2, so that a `sub_rlm` cannot start more. */
  readonly maxDepth?: number;
  /** How many questions all programs together may ask a model. Default: 200. */
  readonly maxQueries?: number;
  /** How many of these run in parallel. Default: 8. */
  readonly concurrency?: number;
  readonly limits?: EngineLimits;
  /** How many characters of a program's output the model sees. Default: 20,000. */
  readonly shown?: number;
  readonly newId?: NewId;
}

/** One question. */
export interface ReplCall extends Omit<ProviderCall, "tools" | "mayNotCall" | "messages" | "signal"> {
  readonly prompt: string;
  /** The value of `context` in the programs: any JSON value. */
  readonly context?: unknown;
  /** The earlier conversation, if this run resumes one. Declarations of its programs are gone. */
  readonly before?: readonly ModelMessage[];
  readonly maxIterations?: number;
  /** The directory in which `exec` runs commands. Without one there is no `exec`. */
  readonly workspace?: string;
  /** For `exec`, as the tool `shell`. Default: every call needs approval. */
  readonly permissions?: AgentPermissions | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ReplHarness extends Harness<ReplCall> {
  invoke(call: ReplCall): AsyncGenerator<HarnessEvent, SubagentEnd>;
  /** Answers a `relay` of any of its runs; false if none waits for it. */
  resolveRelay(id: string, answer: RelayAnswer): boolean;
  /** The models of its provider. Rejects if the provider does not list them. */
  supportedModels(provider?: string): Promise<readonly string[]>;
}

type Reason = HarnessEventOf<"harness_end">["reason"];

interface Shared {
  readonly desk: PermissionDesk;
  queries: number;
}

const MOST_ITERATIONS = 30;

/** A recursive language model: it answers by writing programs, and these can ask models in turn. */
export function replHarness(options: ReplOptions): ReplHarness {
  const { provider, maxDepth = 2, maxQueries = 200, concurrency = 8, limits = {}, shown = SHOWN } = options;
  const makeId = options.newId ?? newId;
  const relays = openRelays();
  const inTurn = places(concurrency);

  function invoke(call: ReplCall, given?: Shared): AsyncGenerator<HarnessEvent, SubagentEnd> {
    const runId = call.runId ?? makeId("agent");
    return withParent(worked(call, runId, given), runId, call.parentId);
  }

  async function* worked(call: ReplCall, runId: string, given?: Shared): AsyncGenerator<HarnessEvent, SubagentEnd> {
    const { model, prompt, context, before = [], maxIterations = MOST_ITERATIONS, workspace, depth = 0 } = call;
    const shared = given ?? { desk: permissionDesk(call.permissions), queries: 0 };
    const stop = linkedSignal(call.signal);
    const { signal } = stop;
    const maySub = depth + 1 < maxDepth;
    const system = [replPrompt(workspace !== undefined, maySub), call.system].filter(Boolean).join("\n\n");
    const question = questionOf(prompt, context);
    const messages: ModelMessage[] =
      before.length === 0 ? [{ role: "user", content: question }] : [...before, { role: "user", content: `${question}\n\n${NEW_CONSOLE}` }];
    const engine = openEngine(context, limits);
    const tools = workspace === undefined ? {} : await workspaceTools({ root: workspace });
    let usage: Usage = noUsage;
    let iterations = 0;
    let commands = 0;
    let answer = "";
    let reason: Reason = "error";

    const name = typeof model === "string" ? model : `${model.provider}/${model.modelId}`;
    yield { type: "harness_start", runId, depth, maxIterations, agent: RLM, model: name };
    try {
      yield { type: "user", runId, id: `${runId}/user-0`, content: prompt };
      reason = yield* loop();
    } catch (error) {
      yield { type: "error", runId, id: `${runId}/error`, message: errorWords(error), code: "internal" };
    } finally {
      stop.end();
      await engine.close();
    }
    yield { type: "harness_end", runId, reason, iterations, totalUsage: usage };
    return { runId, text: answer, reason };

    async function* loop(): AsyncGenerator<HarnessEvent, Reason> {
      let hadNoCode = false;
      while (iterations < maxIterations) {
        const text = yield* asked();
        if (text === undefined) return "error";
        const iteration = iterations++;
        const code = codeOf(text);
        if (code === undefined) {
          const final = finalOf(text);
          answer = text;
          if (final !== undefined) return yield* answered(final);
          if (hadNoCode) return "final";
          hadNoCode = true;
          messages.push({ role: "user", content: NO_CODE });
          yield { type: "user", runId, id: `${runId}/user-${iterations}`, content: NO_CODE };
          continue;
        }
        hadNoCode = false;
        const { final, output } = yield* ran(code, iteration, engine);
        if (signal.aborted) return yield* canceled();
        if (final !== undefined) return yield* answered(final);
        messages.push({ role: "user", content: output });
      }
      messages.push({ role: "user", content: SUM_UP });
      yield { type: "user", runId, id: `${runId}/user-end`, content: SUM_UP };
      const text = yield* asked();
      if (text === undefined) return "error";
      answer = finalOf(text) ?? text;
      return "max_iterations";
    }

    /** Reports the answer that a program names like any other text. */
    async function* answered(final: string): AsyncGenerator<HarnessEvent, Reason> {
      answer = final;
      yield { type: "text", runId, id: `${runId}/answer`, content: final };
      return "final";
    }

    /** The model's next message; undefined if it failed, which is reported already. */
    async function* asked(): AsyncGenerator<HarnessEvent, string | undefined> {
      const turn = yield* query({ ...onlyModel(call), messages: [...messages], system, parentId: runId });
      if (turn.failure !== undefined) return undefined;
      messages.push({ role: "assistant", content: turn.text === "" ? "(nothing)" : turn.text });
      return turn.text;
    }

    async function* query(asking: Omit<ProviderCall, "signal">) {
      const turn = yield* askModel(provider, { ...asking, signal, depth: depth + 1 });
      usage = addUsage(usage, turn.usage);
      return turn;
    }

    async function* canceled(): AsyncGenerator<HarnessEvent, Reason> {
      yield { type: "error", runId, id: `${runId}/error`, message: "Canceled", code: "canceled" };
      return "error";
    }

    /** Runs one program and reports its output, requests and end under one id. */
    async function* ran(
      code: string,
      iteration: number,
      engine: Engine,
    ): AsyncGenerator<HarnessEvent, { readonly final: string | undefined; readonly output: string }> {
      const id = `${runId}/repl-${iteration}`;
      const started = performance.now();
      yield { type: "repl_input", runId, id, code, iteration };
      const out = channel<HarnessEvent>();
      const emit = (event: HarnessEvent) => out.push(event);
      let stdout = "";
      const helpers = helpersAt(id, emit);
      const answers = new Set<Promise<unknown>>();
      const running = engine
        .run(
          code,
          {
            print(stream, chunk) {
              stdout += chunk;
              emit({ type: "repl_progress", runId, id, chunk, stream });
            },
            answer(ask) {
              const answer = answerAsk(ask, helpers, emit);
              answers.add(answer);
              return answer;
            },
          },
          signal,
        )
        .then(async (end) => {
          await Promise.allSettled(answers); // a stopped program no longer waits, but its subagents still report their ends
          out.close();
          return end;
        });
      let isTold = false;
      try {
        yield* out;
        isTold = true;
      } finally {
        if (!isTold) stop.end();
        await running;
      }
      const { error, final, truncated } = await running;
      const durationMs = Math.round(performance.now() - started);
      const done = final !== undefined;
      yield { type: "repl_output", runId, id, stdout, ...(error !== undefined && { error }), done, iteration, durationMs, truncated };
      return { final, output: outputText(stdout, error, truncated, shown) };
    }

    function helpersAt(id: string, emit: (event: HarnessEvent) => void): Helpers {
      async function* ask(content: string): AsyncGenerator<HarnessEvent, string> {
        if (signal.aborted) throw new Error("Canceled.");
        const turn = yield* withQuestion(query({ ...onlyModel(call), messages: [{ role: "user", content }], parentId: id }), content);
        if (turn.failure !== undefined) throw new Error(`llm_query failed: ${turn.failure.message}`);
        return turn.text;
      }
      const state = new Map();
      async function exec(command: string): Promise<ToolOutput> {
        const raw = { id: `exec-${++commands}`, name: "shell", input: { command } };
        const subagent = () => undefined;
        const relayId = () => makeId("relay");
        const common = { runId, parentId: id, tools, messages, desk: shared.desk, relays, relayId, signal, emit, subagent };
        const result = await performCall(raw, `${runId}/${raw.id}`, {
          ...common,
          order: callOrder(),
          parallelTools: [],
          hooks: {},
          state,
          place: (work) => work(),
        });
        emit(result);
        return result.output as ToolOutput;
      }
      return {
        query: ask,
        place: inTurn,
        ...(maySub && { recurse: (prompt, context) => recursed(prompt, context, id) }),
        ...(workspace !== undefined && { exec }),
        spend(queries) {
          shared.queries += queries;
          if (shared.queries > maxQueries) throw new Error(`All ${maxQueries} questions to models are used. Answer with what you have.`);
        },
      };
    }

    async function* recursed(prompt: string, context: unknown, id: string): AsyncGenerator<HarnessEvent, SubagentEnd> {
      const { runId: _, system: __, before: ___, ...rest } = call;
      const events = invoke({ ...rest, prompt, context, parentId: id, depth: depth + 1, signal }, shared);
      for (;;) {
        const { done, value } = await events.next();
        if (done) return value;
        if (value.type === "usage") usage = addUsage(usage, value);
        yield value;
      }
    }
  }

  return {
    invoke: (call) => invoke(call),
    resolveRelay: (id, answer) => relays.resolve(id, answer),
    supportedModels: (of) => modelsOf(provider, of),
  };
}

/** The only record of a program's question: the first text of the run that answers it. */
async function* withQuestion<T>(events: AsyncGenerator<HarnessEvent, T>, content: string): AsyncGenerator<HarnessEvent, T> {
  for (;;) {
    const { done, value } = await events.next();
    if (done) return value;
    yield value;
    const { type, runId } = value;
    if (type === "harness_start") yield { type: "user", runId, id: `${runId}/user-0`, content };
  }
}

/** The options of a call that apply to the model itself. */
function onlyModel({ model, maxOutputTokens, temperature, providerOptions }: ReplCall): Omit<ProviderCall, "messages"> {
  return {
    model,
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(providerOptions !== undefined && { providerOptions }),
  };
}
