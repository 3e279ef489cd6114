import { type AnyMessage, client } from "@agentclientprotocol/sdk";
import { type JsonObject, objectOf } from "../../../pure/base/index.ts";
import type { Event, FactBody, Line } from "../../../pure/events/index.ts";
import type { Task } from "../../../pure/pipeline/index.ts";
import type { Deciders } from "../../permissions/index.ts";
import { openCalls } from "./asked.ts";
import { dialog } from "./dialog.ts";
import { type Answer, type Id, messageOf } from "./message.ts";
import { permit } from "./permit.ts";

/** What a conversation needs from its run. */
export interface Partner {
  readonly task: Task;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The agent asks before every action, in any mode. */
  readonly asks: boolean;
  readonly deciders: Deciders;
  /** Records a fact at this point of the run. */
  readonly record: (fact: FactBody) => void;
  /** Sends one line to the agent. Resolves when it may have the next one, rejects when it has stopped reading. */
  readonly send: (line: string) => Promise<void>;
  /** Closes the agent's input. */
  readonly hangUp: () => void;
}

/** Talks to an agent until it has answered. Everything is recorded before it is passed in; the conversation reads nothing itself. */
export interface Conversation {
  begin(): void;
  /** More lines of the agent's standard output. */
  heard(lines: readonly Line[]): void;
  /** The events of these lines. Called before `heard`. */
  see(events: readonly Event[]): void;
  /** Asks the agent to stop. Resolves when it has answered, or after a short time. */
  cancel(): Promise<void>;
  /** The agent has exited: nothing is decided any more. */
  gone(): void;
  /** Everything it printed was heard. */
  end(): void;
  /** Nothing is left to wait for. */
  readonly isOver: boolean;
}

/** How long an agent may take to answer a cancel before it is stopped like any other program. */
const CANCEL_MS = 1000;

/** How many of the agent's requests may wait for an answer. Only an agent that does not read its answers gets there. */
const MOST_WAITING = 10_000;

export function converse({ task, env, asks, deciders, record, send, hangUp }: Partner): Conversation {
  const calls = openCalls();
  const asked = new Map<string, { readonly id: Id; readonly method: string }>(); // our requests without an answer
  const canceled = new AbortController();
  let incoming: ReadableStreamDefaultController<AnyMessage> | undefined;
  let sessionId: string | undefined;
  let waiting = 0;
  let isFlooded = false;
  let isGone = false;
  let isOver = false;
  let isCanceling = false;
  let notify: (() => void) | undefined;
  let settle: () => void = () => {};
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });

  const decide = permit(task, calls, deciders, (fact) => isGone || record(fact), canceled.signal);
  const stream = {
    readable: new ReadableStream<AnyMessage>({
      start(controller) {
        incoming = controller;
      },
    }),
    writable: new WritableStream<AnyMessage>({
      async write(message) {
        if ("method" in message) {
          if ("id" in message) asked.set(String(message.id), { id: message.id, method: message.method });
        } else waiting--;
        if (!isGone) await send(JSON.stringify(message));
      },
    }),
  };

  function over(): void {
    if (isOver) return;
    isOver = true;
    settle();
    hangUp();
  }

  function take(line: Line): void {
    const message = messageOf(line);
    if (message === undefined) return;
    if (message.type === "response")
      answered(message.id, message.body); // also after it stopped reading: it has answered
    else if (isOver) return;
    else if (message.type === "request") demanded(message);
    else if (message.method === "$/cancel_request") pass({ jsonrpc: "2.0", method: message.method, params: message.params });
  }

  function demanded({ id, method, params }: { readonly id: Id; readonly method: string; readonly params: JsonObject }): void {
    if (isGone) return;
    if (waiting >= MOST_WAITING) {
      const message = `The agent made ${MOST_WAITING} requests without reading an answer; further requests are ignored.`;
      if (!isFlooded) record({ type: "warning", code: "flooded", message });
      isFlooded = true;
      return;
    }
    waiting++;
    pass({ jsonrpc: "2.0", id, method, params });
  }

  /** Some agents write a numeric id as a string. The end of a turn we did not ask for still ends the conversation. */
  function answered(id: Id, body: Answer): void {
    const request = asked.get(String(id));
    if (request !== undefined) {
      asked.delete(String(id));
      pass({ jsonrpc: "2.0", id: request.id, ...body });
    } else if (!isOver && "result" in body && objectOf(body.result)?.["stopReason"] !== undefined) {
      unanswered(`The agent answered request ${JSON.stringify(id)}, which was never sent.`);
      over();
    }
  }

  function unanswered(message: string): void {
    record({ type: "error", code: "unanswered", message });
    asked.clear();
  }

  function pass(message: AnyMessage): void {
    if (!isOver) incoming?.enqueue(message);
  }

  return {
    begin() {
      const app = client({ name: "harness" }).onRequest("session/request_permission", asIs, ({ params }) => decide(params));
      const connection = app.connect(stream);
      notify = () => void connection.agent.notify("session/cancel", { sessionId }).catch(() => {});
      const onSession = (id: string) => {
        sessionId = id;
        if (isCanceling) notify?.();
      };
      void dialog(connection.agent, { task, env, asks, record: (fact) => isGone || record(fact), onSession })
        .catch(() => {}) // the agent's error, or its silence, is in the recorded lines
        .finally(over);
    },
    see: (events) => calls.see(events),
    heard(lines) {
      for (const line of lines) take(line);
    },
    cancel() {
      isCanceling = true;
      if (sessionId !== undefined && !isOver && !isGone) notify?.();
      canceled.abort(); // pending requests are answered after the cancel, so the agent does not take it for a denial
      if (sessionId === undefined || isOver || isGone) return Promise.resolve();
      return Promise.race([settled, new Promise<void>((resolve) => setTimeout(resolve, CANCEL_MS).unref())]);
    },
    gone() {
      isGone = true;
      canceled.abort();
    },
    end() {
      const [request] = asked.values();
      if (request !== undefined && !isCanceling) unanswered(`The agent ended without answering ${request.method}.`);
      over();
    },
    get isOver() {
      return isOver;
    },
  };
}

function asIs(params: unknown): JsonObject {
  return objectOf(params) ?? {};
}
