import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { codeOf } from "../../pure/base/index.ts";
import { bind, namesOf, shownHost } from "./bind.ts";
import { type Refusal, refusalOf } from "./refusal-of.ts";

export interface HttpOptions {
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void;
  readonly refuse: (response: ServerResponse, refusal: Refusal) => void;
  /** Default: all. */
  readonly methods?: readonly string[];
  /** The largest body. */
  readonly mostBytes: number;
  /** Addresses without data that other sites may link to. */
  readonly landings?: readonly string[];
  /** Default: loopback. */
  readonly host?: string;
  readonly port: number;
  /** Use any free port if `port` is in use. */
  readonly orAnyPort?: boolean;
  readonly mostConnections: number;
  /** Requests that are answered at the same time; others get 503. */
  readonly mostRequests: number;
  /** How long a client may take to send its headers. Default: 10 s. */
  readonly patienceMs?: number;
  /** How long a client may take to send its whole request. Default: like `patienceMs`. */
  readonly requestMs?: number;
  /** A connection that is silent in both directions for this long is closed. Default: never. */
  readonly silenceMs?: number;
  /** The answer to a request for a websocket. Default: 403. */
  readonly upgrade?: string;
  readonly onConnection?: () => void;
}

export interface HttpListener {
  /** Without a slash at the end. */
  readonly url: string;
  readonly port: number;
  readonly close: () => Promise<void>;
}

/**
 * Listens for HTTP. Every server of this program is made here, so that all of them check the names they are called by, reject other sites,
 * and limit connections, requests, sizes and times.
 */
export async function serveHttp(options: HttpOptions): Promise<HttpListener> {
  const { answer, refuse, methods, mostBytes, landings, host = "127.0.0.1", patienceMs = 10_000, upgrade = "403 Forbidden" } = options;
  const hosts = new Set<string>();
  let underWay = 0;

  function serve(request: IncomingMessage, response: ServerResponse): void {
    response.on("error", () => {}); // the client left
    const isFull = underWay >= options.mostRequests;
    underWay++;
    response.on("close", () => underWay--);
    const refusal = refusalOf(request, { hosts, methods, mostBytes, landings });
    if (refusal !== undefined) return refuse(response, refusal);
    if (isFull) return refuse(response, { status: 503, message: "Too many requests at the same time. Try again later." });
    return answer(request, response);
  }

  const server = createServer({ maxHeaderSize: 16 * 1024, connectionsCheckingInterval: patienceMs / 2 }, serve);
  server.headersTimeout = patienceMs;
  server.requestTimeout = options.requestMs ?? patienceMs;
  server.keepAliveTimeout = 5000;
  server.maxConnections = options.mostConnections;
  server.setTimeout(options.silenceMs ?? 0);
  server.on("clientError", (error, socket) => {
    hangUp(socket, codeOf(error) === "HPE_HEADER_OVERFLOW" ? "431 Request Header Fields Too Large" : "400 Bad Request");
  });
  server.on("upgrade", (_request, socket) => hangUp(socket, upgrade));
  server.on("connect", (_request, socket) => hangUp(socket, "405 Method Not Allowed"));
  server.on("connection", () => options.onConnection?.());
  const port = await bind(server, host, options.port, options.orAnyPort ?? false);
  for (const name of namesOf(host)) hosts.add(port === 80 ? name : `${name}:${port}`);
  return {
    url: `http://${shownHost(host)}:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers and closes the socket; a client that is only ignored could keep sending. */
function hangUp(socket: Duplex, status: string): void {
  socket.on("error", () => {});
  if (!socket.writable) socket.destroy();
  else socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`, () => socket.destroy());
}
