import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { Server, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorWords, HarnessError } from "../../pure/base/index.ts";
import type { Answerer } from "./answerer.ts";
import { type Connection, attempts as newAttempts } from "./connection.ts";
import type { Lookup } from "./dial.ts";
import type { Tap } from "./exchange.ts";
import type { HeldKey } from "./keys.ts";
import { type Endpoint, modelServer } from "./model-server.ts";
import type { NetworkPolicy } from "./policy.ts";
import { portServer, proxyServer } from "./proxy-server.ts";
import { isLoopback } from "./target.ts";

export interface GatewayOptions {
  readonly policy: NetworkPolicy;
  readonly models: readonly Endpoint[];
  readonly keys?: readonly HeldKey[];
  /** Called once for every attempt, when it is over. */
  readonly record: (connection: Connection) => void;
  readonly tap?: Tap;
  /** Answers requests in place of the models. */
  readonly instead?: Answerer | undefined;
  /** Default: this machine's resolver. */
  readonly lookup?: Lookup;
}

/** The way out of one run: sockets in a private directory, each for one port inside. */
export interface Gateway {
  /** Mode 0700. */
  readonly folder: string;
  /** The name of a socket in `folder`, by the port inside that leads to it. */
  readonly ports: ReadonlyMap<number, string>;
  readonly proxyPort: number;
  /** Ends every connection and records it. */
  close(): Promise<void>;
}

/** Ports inside that programs rarely use, below those that the kernel hands out. */
export const FIRST_PORT = 21_370;

/** Connections at the same time. More are not accepted. */
const MOST = 2048;

export async function openGateway({ policy, models, keys = [], record, tap, instead, lookup }: GatewayOptions): Promise<Gateway> {
  const attempts = newAttempts(record);
  const folder = mkdtempSync(join(tmpdir(), "harness-net-"));
  const sockets = new Set<Socket>();
  const servers = new Map<number, Server>();
  const byPort = new Map(models.map((endpoint) => [endpoint.port, modelServer({ endpoint, keys, attempts, tap, instead })]));
  for (const [port, server] of byPort) servers.set(port, server);
  for (const { host, port, isAddress } of policy.hosts)
    if (isAddress && isLoopback(host) && port !== undefined && port > 1023 && !servers.has(port))
      servers.set(port, portServer(attempts, { host, port, isAddress: true }));
  const proxyPort = freePort([...servers.keys()]);
  servers.set(proxyPort, proxyServer({ policy, models: byPort, attempts, lookup }));
  const ports = new Map([...servers.keys()].map((port) => [port, String(port)]));

  async function close(): Promise<void> {
    const closed = [...sockets].map((socket) => once(socket, "close"));
    for (const server of servers.values()) server.close();
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
    for (let round = 0; round < 3; round++) await new Promise(setImmediate); // the sockets outside close, and report their bytes
    attempts.end();
    rmSync(folder, { recursive: true, force: true });
  }

  for (const [port, server] of servers) {
    server.maxConnections = MOST;
    server.on("connection", (socket) => {
      if (sockets.has(socket)) return; // handed over by the proxy
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
    });
    try {
      server.listen(join(folder, String(port)));
      await once(server, "listening");
      server.on("error", () => {});
    } catch (error) {
      await close();
      throw new HarnessError("start", `Cannot listen for the agent's connections: ${errorWords(error)}.`, { cause: error });
    }
  }
  return { folder, ports, proxyPort, close };
}

/** A port inside that is not in use. */
export function freePort(used: readonly number[]): number {
  for (let port = FIRST_PORT; ; port++) if (!used.includes(port)) return port;
}
