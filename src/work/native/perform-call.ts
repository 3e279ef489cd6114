import { errorWords, isObject } from "../../pure/base/index.ts";
import { type HarnessEvent, type HarnessEventOf, type RelayAnswer, ruleText, type ToolOutput } from "../../pure/events/index.ts";
import type { Ticket } from "./call-order.ts";
import { headAndTail } from "./head-and-tail.ts";
import type { ModelMessage } from "./model-message.ts";
import type { PermissionDesk } from "./permissions.ts";
import { guarded } from "./place-guard.ts";
import type { Relays } from "./relays.ts";
import type { Tool, Tools } from "./tool.ts";
import type { ToolContext, ToolState } from "./tool-context.ts";
import { hookedAfter, hookedBefore, type ToolHooks } from "./tool-hooks.ts";
import { checkedInput } from "./tool-schema.ts";
import { isParseError, type RawCall } from "./turn.ts";

/** The context of a call. */
export interface CallRoom {
  readonly runId: string;
  /** The run of the model that made the call. */
  readonly parentId: string;
  readonly tools: Tools;
  readonly messages: readonly ModelMessage[];
  readonly desk: PermissionDesk;
  readonly relays: Relays;
  readonly relayId: () => string;
  readonly signal: AbortSignal;
  readonly emit: (event: HarnessEvent) => void;
  /** Orders the calls of one turn. */
  readonly order: (onlyReads: boolean) => Ticket;
  /** Tools that only read, in addition to those that say so themselves. */
  readonly parallelTools: readonly string[];
  /** Waits for a free slot, which limits how many calls run in parallel. */
  readonly place: <T>(work: () => Promise<T>) => Promise<T>;
  readonly subagent: (callId: string) => ToolContext["subagent"];
  readonly hooks: ToolHooks;
  readonly state: ToolState;
}

type Result = HarnessEventOf<"tool_result">;

/** How long a tool may take to stop when everything stops. After that, its own cleanup ends what it left running. */
const GRACE_MS = 700;

/** Decides one call, runs it and returns its result. Never rejects: the model sees every failure. */
export async function performCall(call: RawCall, id: string, room: CallRoom): Promise<Result> {
  const tool = Object.hasOwn(room.tools, call.name) ? room.tools[call.name] : undefined;
  const ticket = room.order(tool === undefined || tool.onlyReads === true || room.parallelTools.includes(call.name));
  try {
    const hooked = tool === undefined || isParseError(call.input) ? undefined : await hookedBefore(room.hooks, hookedCall(call, id));
    if (hooked !== undefined && "deny" in hooked) return denied(call, id, room, hooked.deny);
    return await performed(hooked === undefined ? call : { ...call, input: hooked.input }, id, room, tool, ticket);
  } finally {
    ticket.done();
  }
}

function hookedCall({ name, input }: RawCall, toolCallId: string) {
  return { tool: name, input, toolCallId };
}

/** A denied call has no `tool_call`, so its result repeats the input. */
function denied({ name, input }: RawCall, id: string, { runId, parentId }: CallRoom, reason: string): Result {
  return { type: "tool_result", runId, parentId, id, name, output: { status: "denied", reason }, input };
}

async function performed(call: RawCall, id: string, room: CallRoom, tool: Tool | undefined, ticket: Ticket): Promise<Result> {
  const { runId, parentId, signal, emit } = room;
  const event: HarnessEvent = { type: "tool_call", runId, parentId, id, name: call.name, input: call.input };
  const result = (output: ToolOutput): Result => ({ type: "tool_result", runId, parentId: id, id, name: call.name, output });
  const flawed = (error: string): Result => {
    emit(event);
    return result({ error });
  };

  if (isParseError(call.input))
    return flawed(`The arguments are not valid JSON: ${call.input.parseError}. Call it again with a JSON object.`);
  if (tool === undefined) return flawed(`Unknown tool ${call.name}. Available tools: ${Object.keys(room.tools).join(", ")}.`);
  if (tool.execute === undefined) return flawed(`The tool ${call.name} cannot run here: it has no execute function.`);
  const checked = await checkedInput(tool, call.input);
  if ("flaw" in checked) return flawed(`The arguments do not fit ${call.name}: ${checked.flaw}`);

  if (tool.directory !== undefined) await ticket.turn(); // an earlier command may change it
  const directory = tool.directory?.(room.state);
  const guard = room.desk.guard(call.name, call.input, directory); // before a user is asked, who may take long
  const mustAsk = await isApprovalNeeded(tool, checked.value, call, id, room);
  const verdict = tool.isOurs === true ? OURS : await decided(call, id, room, ticket, mustAsk, directory);
  if (verdict === undefined) return { ...result({ error: CANCELED }), parentId, input: call.input };
  if (verdict.decision === "deny") return denied(call, id, room, verdict.reason);
  emit(verdict.permission === undefined ? event : { ...event, permission: verdict.permission });
  await ticket.turn();
  return await room.place(async () => {
    if (signal.aborted) return result({ error: CANCELED });
    const run = () => guarded(guard, () => tool.execute?.(checked.value, optionsOf(call, id, room, directory)));
    const work = executed(tool, run, call, checked.value, id, room);
    return result(bounded(await hookedAfter(room.hooks, hookedCall(call, id), await orCanceled(work, signal))));
  });
}

const OURS = { decision: "allow", permission: undefined } as const;

const CANCELED = "Canceled before it had ended.";

/** What the AI SDK's `needsApproval` says. If it throws, a user is asked. */
async function isApprovalNeeded({ needsApproval }: Tool, input: unknown, call: RawCall, id: string, room: CallRoom): Promise<boolean> {
  if (typeof needsApproval !== "function") return needsApproval === true;
  try {
    return (await needsApproval(input, optionsOf(call, id, room))) !== false;
  } catch {
    return true;
  }
}

/** Undefined if the run ended before a decision. `permission` is the answer of a user who was asked. */
async function decided(
  { name, input }: RawCall,
  toolCallId: string,
  room: CallRoom,
  ticket: Ticket,
  mustAsk: boolean,
  directory: string | undefined,
) {
  const { runId, parentId, relays, signal, emit } = room;
  if (signal.aborted) return undefined;
  const verdict = room.desk.decide(name, input, directory);
  if (verdict.decision === "deny" || (verdict.decision === "allow" && !(mustAsk && !room.desk.isRemembered(name, input, directory))))
    return { ...verdict, permission: undefined };
  ticket.stepAside();
  const id = room.relayId();
  const asked = relays.ask(id, signal); // first, so that an immediate answer is not lost
  const always = ruleText({ tool: name, params: input });
  const what = { kind: "permission", id, toolCallId, tool: name, params: input, always, ...named("directory", directory) } as const;
  const relay: HarnessEventOf<"relay"> = { type: "relay", runId, parentId, ...what };
  emit(Object.defineProperty(relay, "respond", { value: (answer: RelayAnswer) => relays.resolve(id, answer) }));
  const answer = await asked;
  if (answer === undefined || answer.decision === "deny") return answer;
  const because = answer.reason === undefined ? "" : `: ${answer.reason}`;
  if (answer.decision === "once") return { ...answer, permission: `once${because}` };
  room.desk.allow(answer.rule ?? { tool: name, input, directory });
  return { ...answer, permission: `always${answer.rule === undefined ? ", this call" : ` ${ruleText(answer.rule)}`}${because}` };
}

function optionsOf(call: RawCall, id: string, room: CallRoom, directory?: string) {
  const { runId, messages, signal, emit, subagent, state } = room;
  let count = 0;
  const context: ToolContext = {
    progress: (content) =>
      emit({ type: "tool_progress", runId, parentId: id, id: `${id}/progress-${count++}`, toolCallId: id, name: call.name, content }),
    state,
    ...named("directory", directory),
    ...named("subagent", subagent(id)),
  };
  return { toolCallId: id, messages: [...messages], abortSignal: signal, experimental_context: context };
}

function named<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]: V });
}

/** The tool's result. If the tool yields several values, each is reported as it comes, and the last one is the result. */
async function executed(tool: Tool, run: () => unknown, call: RawCall, input: unknown, id: string, room: CallRoom): Promise<ToolOutput> {
  try {
    const returned: unknown = run();
    let result: unknown;
    if (isIterable(returned)) {
      let count = 0;
      for await (result of returned) {
        if (room.signal.aborted) break;
        const progress = { id: `${id}/step-${count++}`, toolCallId: id, name: call.name, content: result };
        room.emit({ type: "tool_progress", runId: room.runId, parentId: id, ...progress });
      }
    } else result = await returned;
    if (isOutput(result)) return result;
    const context = await textFor(tool, id, input, result);
    return isObject(result) && result["isError"] === true ? { error: context } : { context, result: result ?? null }; // MCP's form of an error
  } catch (error) {
    return { error: errorWords(error) };
  }
}

/** What a model gets to see of one result; the rest would crowd out its conversation. */
const MOST_CHARACTERS = 120_000;

function bounded(output: ToolOutput): ToolOutput {
  if ("context" in output && output.context.length > MOST_CHARACTERS)
    return { ...output, context: headAndTail(output.context, MOST_CHARACTERS) };
  if ("error" in output && output.error.length > MOST_CHARACTERS) return { ...output, error: headAndTail(output.error, MOST_CHARACTERS) };
  return output;
}

/** Our own tools return the form that specification 002 defines. */
function isOutput(value: unknown): value is { readonly context: string; readonly result: unknown } {
  return isObject(value) && typeof value["context"] === "string" && "result" in value && Object.keys(value).length === 2;
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/** The text for the model: the tool's own, if it has one. */
async function textFor(tool: Tool, toolCallId: string, input: unknown, output: unknown): Promise<string> {
  const shown = await tool.toModelOutput?.({ toolCallId, input, output });
  if (shown === undefined) return typeof output === "string" ? output : (JSON.stringify(output) ?? "");
  switch (shown.type) {
    case "text":
    case "error-text":
      return shown.value;
    case "json":
    case "error-json":
      return JSON.stringify(shown.value);
    case "execution-denied":
      return shown.reason ?? "It was not permitted.";
    case "content":
      return shown.value.map((part) => (part.type === "text" ? part.text : `(${part.type})`)).join("\n");
  }
}

/** Does not wait for a tool that ignores the signal to stop. */
function orCanceled(work: Promise<ToolOutput>, signal: AbortSignal): Promise<ToolOutput> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const stop = () => {
      timer = setTimeout(() => resolve({ error: CANCELED }), GRACE_MS);
    };
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    void work.then((output) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      resolve(signal.aborted && !("context" in output) ? { error: CANCELED } : output);
    });
  });
}
