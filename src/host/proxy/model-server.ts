import { createServer, Agent as HttpAgent, request as httpRequest, type Server, type ServerResponse } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { type Answerer, answerInstead } from "./answerer.ts";
import { type Attempts, hangUp } from "./connection.ts";
import { exchange, type Send, type Tap, upgrade, without } from "./exchange.ts";
import { type HeldKey, pathWithKeys, withKeys } from "./keys.ts";

/** A model that the agent reaches by plain HTTP on a port inside. */
export interface Endpoint {
  /** Inside. */
  readonly port: number;
  /** Outside: its origin. */
  readonly url: URL;
}

export interface ModelServer {
  readonly endpoint: Endpoint;
  readonly keys: readonly HeldKey[];
  readonly attempts: Attempts;
  readonly tap?: Tap | undefined;
  /** Answers requests in place of the model. */
  readonly instead?: Answerer | undefined;
  /** The path of a request that may pass, without what proves it; undefined for a stranger's. Default: every request may pass. */
  readonly admit?: (path: string, headers: readonly string[]) => string | undefined;
}

/** Longer than any head that an agent sends. */
export const LONGEST_HEAD = 256 * 1024;

/**
 * Passes requests to one model, with the real keys in place of the placeholders. Each connection inside has one outside, and they end
 * together, so the agent sees what it would have seen without us.
 */
export function modelServer({ endpoint: { url }, keys, attempts, tap: given, instead, admit = (path) => path }: ModelServer): Server {
  const tap: Tap | undefined = given && ((head) => given({ ...head, origin: url.origin }));
  const isSecure = url.protocol === "https:";
  const start = isSecure ? httpsRequest : httpRequest;
  const port = Number(url.port) || (isSecure ? 443 : 80);
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const senders = new WeakMap<Socket, Send>();

  function senderOf(socket: Socket): Send {
    const send = senders.get(socket) ?? sender(socket);
    senders.set(socket, send);
    return send;
  }

  function sender(socket: Socket): Send {
    const agent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 1 });
    const done = attempts.begin({ host, port });
    let underWay = 0;
    const seen = new WeakSet<Socket>();
    socket.on("error", () => {});
    socket.on("close", () => {
      agent.destroy();
      done("allow", "the model", socket.bytesRead, socket.bytesWritten);
    });
    return ({ method, path, headers }) => {
      const own = ["host", url.host, ...without(withKeys(headers, keys), (name) => name === "host")];
      const outgoing = start({ host, port, method, path: pathWithKeys(path, keys), headers: own, agent, setHost: false, servername: host });
      underWay++;
      outgoing.on("close", () => underWay--);
      outgoing.on("socket", (outer) => {
        if (seen.has(outer)) return;
        seen.add(outer);
        outer.setNoDelay(true);
        outer.on("close", () => {
          if (underWay === 0) socket.end();
        });
      });
      return outgoing;
    };
  }

  const server = createServer({ maxHeaderSize: LONGEST_HEAD, noDelay: true }, (request, response) => {
    const path = admit(request.url ?? "/", request.rawHeaders);
    if (path === undefined) return refuse(response, STRANGER);
    request.url = path;
    if (instead !== undefined) return void answerInstead(request, response, instead, { send: senderOf(request.socket), tap });
    return exchange(request, response, senderOf(request.socket), tap);
  });
  server.on("upgrade", (request, socket, head) => {
    const path = admit(request.url ?? "/", request.rawHeaders);
    if (path === undefined) return hangUp(socket, "403 Forbidden", STRANGER);
    if (instead !== undefined) return hangUp(socket, "501 Not Implemented", "a recorded model has no websockets");
    request.url = path;
    return upgrade(request, socket, head, senderOf(request.socket), tap);
  });
  server.on("connect", (_request, socket) => hangUp(socket, "405 Method Not Allowed", "this is the address of a model, not a proxy"));
  server.on("connection", senderOf);
  return patient(server);
}

const STRANGER = "this is the way of one run to its model, and the request does not come from that run";

function refuse(response: ServerResponse, message: string): void {
  response.on("error", () => {});
  response.writeHead(403, { "content-type": "text/plain; charset=utf-8", connection: "close" });
  response.end(`harness: ${message}.\n`);
}

/** A model may think for long, and its client may be slow. */
export function patient(server: Server): Server {
  server.headersTimeout = 60_000;
  server.requestTimeout = 0;
  server.keepAliveTimeout = 0;
  server.timeout = 0;
  server.on("clientError", (_error, socket) => hangUp(socket, "400 Bad Request", "this is not a valid HTTP request"));
  return server;
}
