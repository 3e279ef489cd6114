import { type AnyMessage, client } from "@agentclientprotocol/sdk";
import { type JsonObject, objectOf } from "../../../pure/base/index.ts";
import type { Event, FactBody, Line } from "../../../pure/events/index.ts";
import type { Task } from "../../../pure/pipeline/index.ts";
import { openCalls } from "./asked.ts";
import { dialog } from "./dialog.ts";
import { type Answer, type Id, messageOf } from "./message.ts";
import type { OnPermission } from "./permission.ts";
import { permit } from "./permit.ts";

/** What a conversation needs of the run that it is part of. */
export interface Partner {
  readonly task: Task;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** It asks before it does anything, in whatever mode. */
  readonly asks: boolean;
  readonly onPermission?: OnPermission;
  /** Something of ours, to be recorded in its place. */
  readonly record: (fact: FactBody) => void;
  /** One line to the agent; resolves when it may have the next, rejects when it reads no more. */
  readonly send: (line: string) => Promise<void>;
  /** Nothing more will be said. */
  readonly hangUp: () => void;
}

/** Speaks with an agent until it has answered. It is told everything after it was recorded, and reads nothing itself. */
export interface Conversation {
  begin(): void;
  /** More lines of the agent's standard output. */
  heard(lines: readonly Line[]): void;
  /** What that meant. Before it is heard. */
  see(events: readonly Event[]): void;
  /** Asks the agent to stop what it does. Resolves when it has answered, or soon if it does not. */
  cancel(): Promise<void>;
  /** The agent has exited: nothing is decided any more. */
  gone(): void;
  /** All that it printed was heard. */
  end(): void;
  /** There is nothing left to wait for. */
  readonly isOver: boolean;
}

/** How long an agent has for its answer to a cancel before it is stopped as any other. */
const CANCEL_MS = 1000;

/** Requests of the agent's that may wait for their answers: more come only from one that reads none. */
const MOST_WAITING = 10_000;

export function converse({ task, env, asks, onPermission, record, send, hangUp }: Partner): Conversation {
  const calls = openCalls();
  const asked = new Map<string, { readonly id: Id; readonly method: string }>(); // by us, and not answered
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

  const decide = permit(task, calls, onPermission, (fact) => isGone || record(fact), canceled.signal);
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
      answered(message.id, message.body); // also after it has stopped reading: it has answered
    else if (isOver) return;
    else if (message.type === "request") demanded(message);
    else if (message.method === "$/cancel_request") pass({ jsonrpc: "2.0", method: message.method, params: message.params });
  }

  function demanded({ id, method, params }: { readonly id: Id; readonly method: string; readonly params: JsonObject }): void {
    if (isGone) return;
    if (waiting >= MOST_WAITING) {
      const message = `The agent has asked ${MOST_WAITING} times without reading an answer; it gets no more.`;
      if (!isFlooded) record({ type: "warning", code: "flooded", message });
      isFlooded = true;
      return;
    }
    waiting++;
    pass({ jsonrpc: "2.0", id, method, params });
  }

  /** Some write a number as a string. An end of the turn that we did not ask for is one all the same: nothing else will come. */
  function answered(id: Id, body: Answer): void {
    const request = asked.get(String(id));
    if (request !== undefined) {
      asked.delete(String(id));
      pass({ jsonrpc: "2.0", id: request.id, ...body });
    } else if (!isOver && "result" in body && objectOf(body.result)?.["stopReason"] !== undefined) {
      unanswered(`The agent answered a request ${JSON.stringify(id)} that it was not asked.`);
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
        .catch(() => {}) // the agent's error is in its lines, and so is its silence
        .finally(over);
    },
    see: (events) => calls.see(events),
    heard(lines) {
      for (const line of lines) take(line);
    },
    cancel() {
      isCanceling = true;
      if (sessionId !== undefined && !isOver && !isGone) notify?.();
      canceled.abort(); // what it waits for is answered after that: it must not take it for a refusal
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
