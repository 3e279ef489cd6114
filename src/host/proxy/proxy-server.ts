import { createServer, request as httpRequest, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type Socket, type Server as TcpServer } from "node:net";
import { type Attempts, asked, type Done, hangUp, tunnel } from "./connection.ts";
import { dial, type Lookup, NoConnection } from "./dial.ts";
import { exchange, type Send, upgrade, without } from "./exchange.ts";
import { LONGEST_HEAD, patient } from "./model-server.ts";
import { judge, type NetworkPolicy } from "./policy.ts";
import { isLoopback, shownTarget, type Target, targetOf } from "./target.ts";

export interface ProxyServer {
  readonly policy: NetworkPolicy;
  /** The models, by their port inside: some programs ask the proxy for their own loopback. */
  readonly models: ReadonlyMap<number, Server>;
  readonly attempts: Attempts;
  readonly lookup?: Lookup | undefined;
}

/** An HTTP proxy: CONNECT, and requests with a whole address. */
export function proxyServer(options: ProxyServer): Server {
  const { models, attempts } = options;
  const modelAt = (target: Target | undefined) => (target !== undefined && isLoopback(target.host) ? models.get(target.port) : undefined);

  const server = createServer({ maxHeaderSize: LONGEST_HEAD, noDelay: true }, (request, response) => {
    const no = (status: string, message: string) => refuse(response, status, message);
    const model = takenOver(request);
    if (model !== undefined) model.emit("request", request, response);
    else void forward(request, no, (send) => exchange(request, response, send));
  });
  server.on("upgrade", (request, socket, head) => {
    socket.on("error", () => {});
    const no = (status: string, message: string) => hangUp(socket, status, message);
    const model = takenOver(request);
    if (model !== undefined) model.emit("upgrade", request, socket, head);
    else void forward(request, no, (send) => upgrade(request, socket, head, send));
  });
  server.on("connect", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on("error", () => {});
    const target = targetOf(request.url ?? "");
    const model = modelAt(target);
    if (model === undefined) return void connected(target, request.url ?? "", socket, head);
    socket.write(ESTABLISHED);
    if (head.length > 0) socket.unshift(head);
    return void model.emit("connection", socket);
  });
  return patient(server);

  /** The model that a request with a whole address is for. It gets the request as if it had been asked directly. */
  function takenOver(request: IncomingMessage): Server | undefined {
    const { authority, path } = partsOf(request.url ?? "");
    const model = modelAt(targetOf(authority, 80));
    if (model !== undefined) request.url = path;
    return model;
  }

  async function connected(target: Target | undefined, text: string, socket: Socket, head: Buffer): Promise<void> {
    const done = attempts.begin(asked(target, text));
    const outer = await reach(options, target, done, (status, message) => hangUp(socket, status, message));
    if (outer === undefined) return;
    if (socket.destroyed) outer.destroy();
    else socket.write(ESTABLISHED);
    tunnel(socket, outer, head, (up, down) => done("allow", outer.reason, up, down));
  }

  async function forward(request: IncomingMessage, no: Refuse, go: (send: Send) => void): Promise<void> {
    const { url: text = "" } = request;
    const { authority, path } = partsOf(text);
    const target = targetOf(authority, 80);
    const done = attempts.begin(asked(target, authority === "" ? text : authority));
    if (authority === "") {
      done("deny", "not a request to a proxy");
      return no("400 Bad Request", "this is a proxy; it takes CONNECT, and requests with a whole http address");
    }
    const outer = await reach(options, target, done, no);
    if (outer === undefined) return undefined;
    outer.on("close", () => done("allow", outer.reason, outer.bytesWritten, outer.bytesRead));
    if (request.socket.destroyed) return void outer.destroy();
    return go(({ method, headers }) => {
      const own = ["host", authority, ...without(headers, (name) => name === "host")];
      return httpRequest({ method, path, headers: own, setHost: false, createConnection: () => outer });
    });
  }
}

function partsOf(url: string): { readonly authority: string; readonly path: string } {
  const [, authority = "", path = ""] = /^http:\/\/([^/?#]*)([^#]*)$/i.exec(url) ?? [];
  return { authority, path: path.startsWith("/") ? path : `/${path}` };
}

/** A port of this machine that the user named, at the same port inside. */
export function portServer(attempts: Attempts, target: Target): TcpServer {
  return createTcpServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    socket.on("error", () => {});
    const done = attempts.begin(target);
    dial(target, { isNamed: true }).then(
      (outer) => tunnel(socket, outer, Buffer.alloc(0), (up, down) => done("allow", `allowed as ${shownTarget(target)}`, up, down)),
      (error: Error) => {
        done("allow", error.message);
        socket.destroy();
      },
    );
  });
}

const ESTABLISHED = "HTTP/1.1 200 Connection established\r\n\r\n";

type Refuse = (status: string, message: string) => void;

/** Undefined if it was not made; then the client and the record know why. */
async function reach(
  { policy, lookup }: ProxyServer,
  target: Target | undefined,
  done: Done,
  no: Refuse,
): Promise<(Socket & { readonly reason: string }) | undefined> {
  const deny = (reason: string) => {
    done("deny", reason);
    no("403 Forbidden", reason);
    return undefined;
  };
  if (target === undefined) return deny("the host is not written in the usual way");
  const verdict = judge(policy, target);
  if (!verdict.isAllowed) return deny(verdict.reason);
  try {
    return Object.assign(await dial(target, verdict, lookup), { reason: verdict.reason });
  } catch (error) {
    if (!(error instanceof NoConnection)) throw error;
    if (error.isDenied) return deny(error.message);
    done("allow", error.message);
    no("502 Bad Gateway", error.message);
    return undefined;
  }
}

function refuse(response: ServerResponse, status: string, message: string): void {
  response.on("error", () => {});
  const [code, ...words] = status.split(" ");
  response.writeHead(Number(code), words.join(" "), { "content-type": "text/plain; charset=utf-8", connection: "close" });
  response.end(`harness: ${message}.\n`);
}
