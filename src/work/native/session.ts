import { HarnessError } from "../../pure/base/index.ts";
import { nodeIdsOf } from "../../pure/conversation/index.ts";
import type { HarnessEvent } from "../../pure/events/index.ts";
import type { AgentCall } from "./agent-call.ts";
import { conversationOf } from "./conversation-of.ts";
import { linkedSignal } from "./linked-signal.ts";
import type { ModelMessage } from "./model-message.ts";
import { readHistory } from "./read-history.ts";
import type { SubagentEnd } from "./tool-context.ts";

export interface SessionOptions extends Omit<AgentCall, "messages" | "runId" | "steering"> {
  /** Earlier messages. */
  readonly messages?: readonly ModelMessage[];
  /** Continues a recorded run of our agent: its directory, and a node of its graph. */
  readonly resume?: { readonly directory: string; readonly at?: string | undefined };
}

/** A conversation with an agent. Each `send` is a run; the next one knows everything before it. */
export interface AgentSession {
  /** What the model will see before the next message. */
  readonly messages: readonly ModelMessage[];
  /** The last node: the parent of the next run. */
  readonly node: string | undefined;
  /** Sends a message and streams what happens. Only one at a time. */
  send(content: string, options?: { readonly runId?: string; readonly signal?: AbortSignal }): AsyncGenerator<HarnessEvent, SessionEnd>;
  /** Adds a message to the run that is under way: the model sees it before its next answer. Without one, before the next `send`. */
  steer(content: string): void;
  /** Ends the run that is under way; the session can continue. False if there is none. */
  cancel(): boolean;
  /** A second session that continues from here, or from a node of this session's events since its last compaction. */
  fork(at?: string): AgentSession;
}

export interface SessionEnd extends SubagentEnd {
  readonly messages: readonly ModelMessage[];
  /** The answer in the form of `output`; absent if there is none. */
  readonly output?: unknown;
}

type Invoke = (call: AgentCall) => AsyncGenerator<HarnessEvent, SessionEnd>;

interface Sent {
  readonly before: readonly ModelMessage[];
  readonly events: HarnessEvent[];
}

export function openSession(invoke: Invoke, options: SessionOptions): AgentSession {
  const { resume, messages: given = [], ...call } = options;
  const history = resume === undefined ? undefined : readHistory(resume.directory, resume.at);
  const steered: string[] = [];
  let messages: readonly ModelMessage[] = [...(history?.messages ?? []), ...given];
  let node = history?.node ?? call.parentId;
  let sent: readonly Sent[] = [];
  let running: { end(): void } | undefined;
  const state = new Map(options.state);

  async function* send(content: string, { runId, signal }: { readonly runId?: string; readonly signal?: AbortSignal } = {}) {
    if (running !== undefined) throw new HarnessError("usage", "The session is still answering. Use steer, or wait until it is done.");
    const stop = linkedSignal(signal ?? call.signal);
    running = stop;
    const one: Sent = { before: messages, events: [] };
    sent = [...sent, one];
    try {
      const events = invoke({
        ...call,
        ...(runId !== undefined && { runId }),
        ...(node !== undefined && { parentId: node }),
        messages: [...messages, ...steered.splice(0).map(said), said(content)],
        signal: stop.signal,
        state,
        steering: () => steered.splice(0),
      });
      for (;;) {
        const { done, value } = await events.next();
        if (done) {
          messages = value.messages;
          node = `${value.runId}:end`;
          return value;
        }
        if (value.type === "compaction") sent = [one]; // what came before it is not in memory any more; a recording has it
        one.events.push(value.type === "tool_progress" ? { ...value, content: "" } : value); // the result has what matters of it
        yield value;
      }
    } finally {
      stop.end();
      running = undefined;
    }
  }

  function fork(at?: string): AgentSession {
    if (at === undefined) return openSession(invoke, { ...call, state, messages, parentId: node });
    const from = sent.findLast(({ events }) => nodeIdsOf(events).includes(at));
    const found = from && conversationOf(from.events, at, () => from.before);
    if (from === undefined || found === undefined)
      throw new HarnessError(
        "usage",
        `The session has no node ${JSON.stringify(at)}. If it is older than the last compaction, resume its recording.`,
      );
    return openSession(invoke, { ...call, state, messages: found.messages, parentId: at });
  }

  return {
    get messages() {
      return messages;
    },
    get node() {
      return node;
    },
    send,
    steer: (content) => void steered.push(content),
    cancel() {
      running?.end();
      return running !== undefined;
    },
    fork,
  };
}

function said(content: string): ModelMessage {
  return { role: "user", content };
}
