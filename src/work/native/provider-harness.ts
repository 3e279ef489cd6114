import { HarnessError, type ModelAccess, type ModelAddress, modelAddress } from "../../pure/base/index.ts";
import { noUsage } from "../../pure/conversation/index.ts";
import type { HarnessEvent } from "../../pure/events/index.ts";
import { type Failure, failureOf } from "./failure.ts";
import { languageModel, type SdkCall, type SdkModel, type SdkStream } from "./language-model.ts";
import { listModels } from "./list-models.ts";
import type { ModelMessage, ProviderData } from "./model-message.ts";
import { type NewId, newId } from "./new-id.ts";
import { cached, cacheOptions } from "./prompt-cache.ts";
import { promptOf } from "./prompt-of.ts";
import { partsOf, streamReader } from "./read-stream.ts";
import type { OfferedTools } from "./tool.ts";
import { offeredTools } from "./tool-schema.ts";
import type { Turn } from "./turn.ts";
import { withParent } from "./with-parent.ts";

export interface ProviderOptions extends Partial<ModelAccess> {
  /** How long a model may be silent, and how long a whole answer may take. Default: 5 minutes and 30 minutes. */
  readonly idleMs?: number;
  readonly totalMs?: number;
  readonly newId?: NewId;
}

/** One call of a model. */
export interface ProviderCall {
  /** `anthropic/…`, `openai/…`, `google/…`, `openrouter/…`, `zen/…`, `local/…`; or an AI SDK model. */
  readonly model: string | ModelObject;
  readonly messages: readonly ModelMessage[];
  readonly system?: string;
  /** The tools it may call; nothing runs here. */
  readonly tools?: OfferedTools;
  /** It sees the tools but must not call any. */
  readonly mayNotCall?: boolean;
  /** It must call this tool. */
  readonly mustCall?: string;
  readonly signal?: AbortSignal | undefined;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  /** The SDK's provider options: reasoning effort, thinking budget … */
  readonly providerOptions?: ProviderData;
  readonly parentId?: string | undefined;
  readonly depth?: number | undefined;
  readonly runId?: string;
}

/** A `LanguageModelV3` of the AI SDK. */
export interface ModelObject {
  readonly specificationVersion: "v3";
  readonly provider: string;
  readonly modelId: string;
  doStream(call: never): PromiseLike<{ readonly stream: object }>;
}

export interface ProviderHarness {
  /** Streams one answer; the generator returns the turn. Never throws because of a model or its server: that is an `error` event and an end. */
  invoke(call: ProviderCall): AsyncGenerator<HarnessEvent, Turn>;
  /**
   * The ids of the available models: of one provider (`"anthropic"`), or of every provider with a key and of a server on this machine.
   * Rejects if none answers.
   */
  supportedModels(provider?: string): Promise<readonly string[]>;
}

const IDLE_MS = 5 * 60_000;
const TOTAL_MS = 30 * 60_000;

/** A harness for models: one call per `invoke`, and it never runs a tool. */
export function providerHarness(options: ProviderOptions = {}): ProviderHarness {
  const access: ModelAccess = { environment: process.env, ...options };

  function invoke(call: ProviderCall): AsyncGenerator<HarnessEvent, Turn> {
    const runId = call.runId ?? (options.newId ?? newId)("call");
    return withParent(answered(call, runId), runId, call.parentId);
  }

  async function* answered(call: ProviderCall, runId: string): AsyncGenerator<HarnessEvent, Turn> {
    const { model: asked } = call;
    const named = typeof asked === "string" ? modelAddress(asked, access) : undefined; // misuse throws before anything starts
    const model = typeof asked === "string" ? asked : `${asked.provider}/${asked.modelId}`;
    yield { type: "harness_start", runId, agent: "provider", model, ...(call.depth !== undefined && { depth: call.depth }) };
    const clocks = startClocks(options, call.signal);
    const reader = streamReader(runId, named?.apiKey, call.messages.at(-1)?.role === "tool");
    let thrown: Failure | undefined;
    try {
      const sdk = typeof asked === "string" ? await languageModel(named ?? modelAddress(asked, access)) : (asked as SdkModel);
      const stream = await begun(sdk, await sdkCall(call, clocks.signal, named), clocks.signal);
      for await (const part of partsOf(stream, clocks.signal)) {
        clocks.alive();
        for (const event of reader.see(part)) if (event !== undefined) yield event;
      }
    } catch (error) {
      thrown = failureOf(error, named?.apiKey);
    } finally {
      clocks.stop();
    }
    const held = reader.end();
    if (held !== undefined) yield held;
    const turn = failed(reader.turn(), clocks.failure() ?? thrown);
    for (const { id, name, input } of turn.calls) yield { type: "tool_call", runId, id, name, input };
    if (turn.usage !== noUsage) yield { type: "usage", runId, id: `${runId}/usage`, ...turn.usage };
    if (turn.failure !== undefined)
      yield { type: "error", runId, id: `${runId}/error`, message: turn.failure.message, code: turn.failure.code };
    yield { type: "harness_end", runId, reason: turn.failure === undefined ? "final" : "error", iterations: 1, totalUsage: turn.usage };
    return turn;
  }

  return { invoke, supportedModels: async (provider) => await listModels(access, provider) };
}

async function sdkCall(call: ProviderCall, abortSignal: AbortSignal, address: ModelAddress | undefined): Promise<SdkCall> {
  const { messages, system, tools = {}, maxOutputTokens, temperature } = call;
  const offered = await offeredTools(tools);
  const providerOptions = cacheOptions(address, call.parentId, call.providerOptions);
  return {
    prompt: cached(promptOf(messages, system), address),
    ...(offered.length > 0 && { tools: offered, toolChoice: choiceOf(call) }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(providerOptions !== undefined && { providerOptions }),
    abortSignal,
  };
}

function choiceOf({ mayNotCall, mustCall }: ProviderCall): NonNullable<SdkCall["toolChoice"]> {
  if (mayNotCall) return { type: "none" };
  return mustCall === undefined ? { type: "auto" } : { type: "tool", toolName: mustCall };
}

/** The answer's stream, as soon as it begins. Waits no longer than `stop` allows, whatever the client does. */
function begun(model: SdkModel, call: SdkCall, stop: AbortSignal): Promise<SdkStream> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(stop.reason);
    if (stop.aborted) return leave();
    stop.addEventListener("abort", leave, { once: true });
    Promise.resolve(model.doStream(call))
      .then(({ stream }) => (stop.aborted ? void stream.cancel().catch(() => {}) : resolve(stream)), reject)
      .finally(() => stop.removeEventListener("abort", leave));
  });
}

function failed(turn: Turn, failure: Failure | undefined): Turn {
  return failure === undefined ? turn : { ...turn, calls: [], failure };
}

/** One signal for everything that can end a call: its caller, too long a silence, an endless answer. */
function startClocks({ idleMs = IDLE_MS, totalMs = TOTAL_MS }: ProviderOptions, asked: AbortSignal | undefined) {
  const stop = new AbortController();
  let failure: Failure | undefined;
  const end = (message: string, code: Failure["code"]) => {
    failure ??= { message, code, isTransient: code === "timeout" };
    stop.abort(new HarnessError("input", message));
  };
  const cancel = () => end("Canceled", "canceled");
  if (asked?.aborted) cancel();
  asked?.addEventListener("abort", cancel, { once: true });
  const idle = setTimeout(() => end(`The model said nothing for ${idleMs / 1000} s: timed out`, "timeout"), idleMs);
  const total = setTimeout(() => end(`The answer was not complete after ${totalMs / 1000} s: timed out`, "timeout"), totalMs);
  return {
    signal: stop.signal,
    alive: () => void idle.refresh(),
    failure: () => failure,
    stop() {
      clearTimeout(idle);
      clearTimeout(total);
      asked?.removeEventListener("abort", cancel);
      if (!stop.signal.aborted) stop.abort(); // leaving the loop early must close the connection
    },
  };
}
