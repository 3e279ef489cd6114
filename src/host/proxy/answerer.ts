import { once as event } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { exchange, once, type RequestHead, type Send, type Tap, withoutOwn } from "./exchange.ts";

/** Answers a request in place of the model. Undefined: the model itself is asked. */
export type Answerer = (request: AskedRequest) => Promise<Reply | undefined>;

export interface AskedRequest extends RequestHead {
  readonly body: Buffer;
}

export interface Reply {
  /** Null: the connection ends without an answer. */
  readonly status: number | null;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** What follows the chunks: the end, the end of the connection, or nothing until the agent leaves. */
  readonly end: "whole" | "cut" | "held";
}

/** Longer requests are not read. */
const LONGEST = 64 * 1024 * 1024;

/** Takes the request whole, and asks who answers it. */
export async function answerInstead(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answerer,
  { send, tap }: { readonly send: Send; readonly tap: Tap | undefined },
): Promise<void> {
  response.on("error", () => {});
  const head = { method: request.method ?? "GET", path: request.url ?? "/", headers: withoutOwn(request.rawHeaders) };
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      size += (chunk as Buffer).length;
      if (size > LONGEST) return void response.destroy();
      chunks.push(chunk as Buffer);
    }
    const body = Buffer.concat(chunks);
    const reply = await answer({ ...head, body });
    if (reply === undefined) return exchange(request, response, send, tap, body);
    await play(reply, response, head, body, tap);
  } catch {
    response.destroy(); // the agent left, or the answer broke off
  }
}

async function play(
  { status, headers, chunks, end }: Reply,
  response: ServerResponse,
  head: RequestHead,
  body: Buffer,
  tap?: Tap,
): Promise<void> {
  const watcher = tap === undefined ? undefined : once(tap(head));
  watcher?.sent(body);
  watcher?.asked();
  let isLeft = false;
  const left = event(response, "close").then(() => {
    isLeft = !response.writableFinished;
    if (isLeft) watcher?.ended("the agent left");
  });
  if (status !== null) {
    watcher?.answered({ status, headers });
    response.sendDate = false;
    response.writeHead(status, [...headers]);
    response.flushHeaders();
    for await (const chunk of chunks) {
      if (isLeft) return;
      await Promise.race([new Promise((done) => response.write(chunk, done)), left]); // it must leave before the connection does
      watcher?.received(chunk);
    }
  }
  if (end === "whole") {
    watcher?.ended();
    response.end();
  } else if (end === "cut") {
    watcher?.ended("the answer broke off");
    response.destroy();
  } else await left;
}
