import { randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { errorWords, HarnessError } from "../../pure/base/index.ts";
import type { Answerer } from "./answerer.ts";
import { attempts } from "./connection.ts";
import type { Tap } from "./exchange.ts";
import { type HeldKey, isCarried } from "./keys.ts";
import { modelServer } from "./model-server.ts";
import type { RoutedAgent } from "./route.ts";
import { type Program, type WirePoint, wirePoints } from "./wire-route.ts";

/** Records the requests of a run. */
export interface Wiring {
  readonly tap: Tap;
  /** Answers requests in place of the agent's model. */
  readonly instead?: Answerer | undefined;
}

/** An agent on its way to its model, past us. */
export interface OpenWire extends Program {
  close(): Promise<void>;
}

/** Connections at the same time. More are not accepted. */
const MOST = 2048;

/**
 * Listens on loopback and leads the agent there by its address. A request passes only with the run's secret: in the address, which is in a
 * variable that other users cannot read, or else as the key.
 */
export async function openWire(
  agent: RoutedAgent,
  program: Program,
  modelUrl: string | undefined,
  { tap, instead }: Wiring,
): Promise<OpenWire> {
  const sockets = new Set<Socket>();
  const closers: (() => void)[] = [];
  let led: Program = program;

  async function close(): Promise<void> {
    const closed = [...sockets].map((socket) => once(socket, "close"));
    for (const step of closers) step();
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
    for (let round = 0; round < 3; round++) await new Promise(setImmediate); // what was under way is reported
  }

  async function listen(point: WirePoint): Promise<void> {
    const secret = randomBytes(16).toString("hex");
    const endpoint = { port: 0, url: point.url };
    const admit = point.isShown ? byKey(point.keys) : byPath(secret);
    const seen: Tap = (head) => tap({ ...head, origin: point.url.origin });
    const server = modelServer({ endpoint, keys: point.keys, attempts: attempts(() => {}), tap: seen, instead, admit });
    server.maxConnections = MOST;
    server.on("connection", (socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
    });
    closers.push(() => server.close());
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    server.on("error", () => {});
    const { port } = server.address() as AddressInfo;
    const placeholders = Object.fromEntries(point.keys.map(({ variable, placeholder }) => [variable, placeholder]));
    const before = { env: { ...led.env, ...placeholders }, args: led.args };
    led = point.lead(before, `http://127.0.0.1:${port}${point.isShown ? "" : `/${secret}`}`) ?? led;
  }

  try {
    for (const point of wirePoints(agent, program, modelUrl)) await listen(point);
  } catch (error) {
    await close();
    if (error instanceof HarnessError) throw error;
    throw new HarnessError("start", `Cannot listen for the agent's requests: ${errorWords(error)}.`, { cause: error });
  }
  return { env: withoutProxy(led.env), args: led.args, close };
}

function byPath(secret: string): (path: string) => string | undefined {
  const expected = Buffer.from(secret);
  return (path) => {
    const [, first = "", rest = ""] = /^\/([^/?#]*)(.*)$/s.exec(path) ?? [];
    const shown = Buffer.from(first);
    if (shown.length !== expected.length || !timingSafeEqual(shown, expected)) return undefined;
    return rest.startsWith("/") ? rest : `/${rest}`;
  };
}

function byKey(keys: readonly HeldKey[]): (path: string, headers: readonly string[]) => string | undefined {
  return (path, headers) => (isCarried(keys, path, headers) ? path : undefined);
}

/** Programs that use a proxy must not use it for us. */
function withoutProxy(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (!Object.keys(env).some((name) => /^(?:https?|all)_proxy$/i.test(name))) return env;
  const before = env["NO_PROXY"] ?? env["no_proxy"] ?? "";
  const none = [before, "127.0.0.1"].filter((each) => each !== "").join(",");
  return { ...env, NO_PROXY: none, no_proxy: none };
}
