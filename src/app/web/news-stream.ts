import type { ServerResponse } from "node:http";
import { hideSecrets } from "../../host/secrets/index.ts";
import { own, type SafeText } from "../../host/sink/index.ts";
import { headers } from "./headers.ts";
import { sendPart } from "./reply.ts";

/** A reader that does not read for this long is disconnected. It reconnects and asks for what it missed. */
const STALLED_MS = 20_000;
const PING_MS = 10_000;

export interface NewsStream<News> {
  send(news: News): void;
  close(): void;
}

/**
 * Sends news to a page as server-sent events. While the reader is slow, waiting news is merged into one message, so that memory stays
 * bounded.
 */
export function newsStream<News>(
  response: ServerResponse,
  merge: (earlier: News, later: News) => News,
  stalledMs: number = STALLED_MS,
): NewsStream<News> {
  let isFull = false;
  let waiting: News | undefined;
  let stalled: NodeJS.Timeout | undefined;
  response.writeHead(200, { ...headers, "content-type": "text/event-stream; charset=utf-8" });
  response.socket?.setNoDelay(true);
  const ping = setInterval(() => isFull || write(own`:\n\n`), PING_MS);
  response.on("drain", () => {
    isFull = false;
    clearTimeout(stalled);
    const next = waiting;
    waiting = undefined;
    if (next !== undefined) send(next);
  });
  response.on("close", close);

  function send(news: News): void {
    if (isFull) waiting = waiting === undefined ? news : merge(waiting, news);
    else write(own`data: ${hideSecrets(JSON.stringify(news))}\n\n`);
  }

  function write(text: SafeText): void {
    if (response.destroyed) return;
    isFull = !sendPart(response, text);
    if (isFull) stalled = setTimeout(() => response.destroy(), stalledMs);
  }

  function close(): void {
    clearInterval(ping);
    clearTimeout(stalled);
    response.end();
  }

  write(own`retry: 1000\n\n`);
  return { send, close };
}
