import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { errorWords } from "../../pure/base/index.ts";
import { hangUp, tunnel } from "./connection.ts";

/** Sees what passes between an agent and its model, chunk by chunk. The head of a request is as the agent sent it, without real keys. */
export type Tap = (request: RequestHead) => Watcher;

export interface RequestHead {
  /** Its destination: `https://api.example.org`. */
  readonly origin?: string;
  readonly method: string;
  readonly path: string;
  /** Names and values in turn, in the order and spelling in which they were sent. */
  readonly headers: readonly string[];
}

export interface ResponseHead {
  readonly status: number;
  readonly headers: readonly string[];
}

export interface Watcher {
  sent(chunk: Uint8Array): void;
  /** The body is complete. Not called for a connection that became a different protocol. */
  asked(): void;
  answered(head: ResponseHead): void;
  received(chunk: Uint8Array): void;
  /** Called once. `problem`: it broke off. */
  ended(problem?: string): void;
}

const UNWATCHED: Watcher = { sent() {}, asked() {}, answered() {}, received() {}, ended() {} };

/** Headers about one connection, which the next one does not get. */
const OWN = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authorization",
  "proxy-authenticate",
  "te",
  "upgrade",
  "expect",
]);

/** Starts a request outside. */
export type Send = (head: RequestHead) => ClientRequest;

/**
 * Passes a request on and its answer back, unchanged and without waiting for more. Whatever breaks on one side breaks on the other.
 * `body`: it was read already.
 */
export function exchange(request: IncomingMessage, response: ServerResponse, send: Send, tap?: Tap, body?: Uint8Array): void {
  const { watcher, outgoing } = begin(request, withoutOwn(request.rawHeaders), send, tap);
  response.on("error", () => {});
  outgoing.on("error", (error) => {
    watcher.ended(errorWords(error));
    if (response.headersSent) response.destroy();
    else hangUpWith(response, `the model or the server cannot be reached: ${errorWords(error)}`);
  });
  outgoing.on("response", (answer) => {
    const { statusCode: status = 502, statusMessage, rawHeaders } = answer;
    watcher.answered({ status, headers: rawHeaders });
    response.sendDate = false;
    if (answer.headers.connection?.toLowerCase() === "close") response.shouldKeepAlive = false;
    response.writeHead(status, statusMessage, withoutOwn(rawHeaders));
    response.flushHeaders();
    answer.pipe(response); // first: a watcher must not hold up a chunk
    answer.on("data", (chunk: Buffer) => watcher.received(chunk));
    answer.on("end", () => watcher.ended());
    answer.on("close", () => {
      if (answer.complete) return;
      watcher.ended("the answer broke off");
      response.destroy();
    });
    answer.on("error", () => {});
  });
  response.on("close", () => {
    if (response.writableFinished) return;
    watcher.ended("the agent left");
    outgoing.destroy();
  });
  if (body === undefined) {
    request.pipe(outgoing);
    request.on("data", (chunk: Buffer) => watcher.sent(chunk));
    request.on("end", () => watcher.asked());
  } else {
    watcher.sent(body);
    watcher.asked();
    outgoing.end(body);
  }
  request.on("error", () => outgoing.destroy());
}

/** Passes on a request for a different protocol, a websocket, and then its bytes. */
export function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, send: Send, tap?: Tap): void {
  const { watcher, outgoing } = begin(
    request,
    without(request.rawHeaders, (name) => name.startsWith("proxy-")),
    send,
    tap,
  );
  let isTunnel = false;
  const leave = () => {
    if (!isTunnel) outgoing.destroy();
  };
  socket.on("error", leave).on("close", leave);
  outgoing.on("error", (error) => {
    watcher.ended(errorWords(error));
    hangUp(socket, "502 Bad Gateway", `the model or the server cannot be reached: ${errorWords(error)}`);
  });
  outgoing.on("response", (answer) => {
    watcher.answered({ status: answer.statusCode ?? 502, headers: answer.rawHeaders });
    socket.write(headText(answer, [...withoutFraming(withoutOwn(answer.rawHeaders)), "connection", "close"]));
    answer.on("data", (chunk: Buffer) => watcher.received(chunk));
    answer.on("close", () => watcher.ended(answer.complete ? undefined : "the answer broke off"));
    answer.pipe(socket);
  });
  outgoing.on("upgrade", (answer: IncomingMessage, outer: Socket, first: Buffer) => {
    isTunnel = true;
    watcher.answered({ status: answer.statusCode ?? 101, headers: answer.rawHeaders });
    socket.write(headText(answer, answer.rawHeaders));
    if (first.length > 0) {
      watcher.received(first);
      socket.write(first);
    }
    if (head.length > 0) watcher.sent(head);
    socket.on("data", (chunk: Buffer) => watcher.sent(chunk));
    outer.on("data", (chunk: Buffer) => watcher.received(chunk));
    tunnel(socket, outer, head, () => watcher.ended());
  });
  outgoing.end();
}

function begin(request: IncomingMessage, headers: readonly string[], send: Send, tap: Tap | undefined) {
  const head = { method: request.method ?? "GET", path: request.url ?? "/", headers };
  return { watcher: once(tap?.(head) ?? UNWATCHED), outgoing: send(head) };
}

/** Of several ends, the first counts. */
export function once(watcher: Watcher): Watcher {
  let isEnded = false;
  return {
    sent: (chunk) => watcher.sent(chunk),
    asked: () => watcher.asked(),
    answered: (head) => watcher.answered(head),
    received: (chunk) => watcher.received(chunk),
    ended(problem) {
      if (!isEnded) watcher.ended(problem);
      isEnded = true;
    },
  };
}

function hangUpWith(response: ServerResponse, message: string): void {
  response.writeHead(502, { "content-type": "text/plain; charset=utf-8", connection: "close" });
  response.end(`harness: ${message}.\n`);
}

function headText({ statusCode, statusMessage }: IncomingMessage, headers: readonly string[]): string {
  const lines = headers.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${headers[i + 1]}`] : []));
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join("\r\n")}\r\n\r\n`;
}

/** Without the headers that concern one connection: the usual ones, and those that `connection` lists. */
export function withoutOwn(rawHeaders: readonly string[]): string[] {
  const listed = new Set(valuesOf(rawHeaders, "connection").flatMap((value) => value.toLowerCase().split(/\s*,\s*/)));
  return without(
    rawHeaders,
    (name) => OWN.has(name) || (listed.has(name) && !name.startsWith("content-") && name !== "transfer-encoding" && name !== "host"),
  );
}

function withoutFraming(rawHeaders: readonly string[]): string[] {
  return without(rawHeaders, (name) => name === "transfer-encoding" || name === "content-length");
}

export function without(rawHeaders: readonly string[], isLeftOut: (name: string) => boolean): string[] {
  return rawHeaders.filter((_, i) => !isLeftOut(rawHeaders[i - (i % 2)]?.toLowerCase() ?? ""));
}

function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name);
}
