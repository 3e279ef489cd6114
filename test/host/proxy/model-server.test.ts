import { createHash } from "node:crypto";
import { once } from "node:events";
import { Agent, createServer, request as httpRequest, type IncomingMessage, type RequestListener } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { Connection } from "../../../src/host/proxy/connection.ts";
import type { Tap } from "../../../src/host/proxy/exchange.ts";
import { openGateway } from "../../../src/host/proxy/gateway.ts";
import { holdKeys } from "../../../src/host/proxy/keys.ts";
import { networkPolicy } from "../../../src/host/proxy/policy.ts";

const PORT = 4000;
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

/** A model on this machine behind a gateway. */
async function model(
  answer: RequestListener,
  more: { keys?: ReturnType<typeof holdKeys>; tap?: Tap; upgrade?: (request: IncomingMessage, socket: Socket) => void } = {},
) {
  const server = createServer(answer);
  if (more.upgrade !== undefined) server.on("upgrade", more.upgrade);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const records: Connection[] = [];
  const { keys = [], tap } = more;
  const open = await openGateway({
    policy: networkPolicy("model"),
    models: [{ port: PORT, url }],
    keys,
    record: (each) => records.push(each),
    ...(tap && { tap }),
  });
  cleanups.push(() => {
    server.close();
    server.closeAllConnections();
  });
  cleanups.push(() => open.close());
  return { server, records, open, url, path: join(open.folder, String(PORT)), proxy: join(open.folder, String(open.proxyPort)) };
}

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string> | string[];
  readonly body?: string | Buffer;
  readonly agent?: Agent;
}

function ask(
  socketPath: string,
  path: string,
  { method = "GET", headers = {}, body, agent }: Asked = {},
): Promise<{ raw: IncomingMessage; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ socketPath, path, method, headers: headers as Record<string, string>, agent: agent ?? false }, (raw) => {
      const chunks: Buffer[] = [];
      raw.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", reject);
      raw.on("end", () => resolve({ raw, text: Buffer.concat(chunks).toString() }));
    });
    request.on("error", reject).end(body);
  });
}

const echo: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () =>
    response.end(JSON.stringify({ url: request.url, headers: request.rawHeaders, body: Buffer.concat(chunks).toString() })),
  );
};

test("the real key replaces the placeholder in every header that carries keys, and in ?key=, and nowhere else", async () => {
  const env = { ANTHROPIC_API_KEY: "sk-ant-api03-real-key-of-the-user", GEMINI_API_KEY: "AIza+real/key" };
  const keys = holdKeys(["ANTHROPIC_API_KEY", "GEMINI_API_KEY", "UNSET"], env);
  const [anthropic, gemini] = keys.map(({ placeholder }) => placeholder);
  expect(anthropic).toMatch(/^sk-ant-api03-placeholder-[0-9a-f]{32}$/);
  expect(gemini).toMatch(/^AIzaplaceholder-/);
  const { path } = await model(echo, { keys });
  const headers = {
    Authorization: `Bearer ${anthropic}`,
    "X-Api-Key": `${anthropic}`,
    "x-goog-api-key": `${gemini}`,
    "api-key": `${anthropic}`,
    "x-other": `${anthropic}`,
  };
  const { text } = await ask(path, `/v1/m?key=${gemini}&other=${gemini}`, { method: "POST", headers, body: `${anthropic}` });
  const seen = JSON.parse(text) as { url: string; headers: string[]; body: string };
  expect(seen.url).toBe(`/v1/m?key=AIza%2Breal%2Fkey&other=${gemini}`);
  const sent = Object.fromEntries(seen.headers.flatMap((name, i) => (i % 2 === 0 ? [[name.toLowerCase(), seen.headers[i + 1]]] : [])));
  expect(sent).toMatchObject({
    authorization: `Bearer ${env.ANTHROPIC_API_KEY}`,
    "x-api-key": env.ANTHROPIC_API_KEY,
    "x-goog-api-key": env.GEMINI_API_KEY,
    "api-key": env.ANTHROPIC_API_KEY,
    "x-other": anthropic,
  });
  expect(seen.body).toBe(anthropic);
});

test("an agent's own key is passed on unchanged", async () => {
  const { path } = await model(echo, { keys: holdKeys(["A_API_KEY"], { A_API_KEY: "real-key-of-the-user" }) });
  expect((await ask(path, "/", { headers: { "x-api-key": "mine" } })).text).toContain('"mine"');
});

test("the model gets the request as the agent wrote it, and the agent the answer: names, order, repeated headers, status", async () => {
  const { path, url } = await model((request, response) => {
    response.writeHead(299, "Odd Words", ["X-One", "1", "Set-Cookie", "a=1", "Set-Cookie", "b=2", "x-one", "2"]);
    response.end(JSON.stringify(request.rawHeaders));
  });
  const headers = ["Host", "inside", "X-B", "1", "x-a", "2", "X-B", "3"];
  const { raw, text } = await ask(path, "/v1/messages", { headers });
  expect(JSON.parse(text)).toEqual(["host", url.host, "X-B", "1", "x-a", "2", "X-B", "3", "Connection", "keep-alive"]);
  expect([raw.statusCode, raw.statusMessage]).toEqual([299, "Odd Words"]);
  expect(raw.rawHeaders.slice(0, 8)).toEqual(["X-One", "1", "Set-Cookie", "a=1", "Set-Cookie", "b=2", "x-one", "2"]);
});

test("each chunk of a stream arrives before the next one is sent", async () => {
  let next = () => {};
  const { path } = await model((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    let i = 0;
    next = () => (i < 3 ? response.write(`data: ${i++}\n\n`) : response.end());
  });
  const [raw] = (await once(httpRequest({ socketPath: path, path: "/" }).end(), "response")) as [IncomingMessage];
  const chunks: string[] = [];
  for (let i = 0; i < 3; i++) {
    next();
    chunks.push(String((await once(raw, "data"))[0]));
  }
  next();
  expect(chunks).toEqual(["data: 0\n\n", "data: 1\n\n", "data: 2\n\n"]);
  await once(raw, "end");
});

test("a model that breaks off in its answer breaks the connection inside, after what it had sent", async () => {
  const { path } = await model((_, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("partial");
    setTimeout(() => response.destroy(), 20);
  });
  const [raw] = (await once(httpRequest({ socketPath: path, path: "/" }).end(), "response")) as [IncomingMessage];
  const chunks: string[] = [];
  raw.on("data", (chunk) => chunks.push(String(chunk)));
  const [error] = (await once(raw, "error")) as [Error];
  expect([chunks.join(""), error.message]).toEqual(["partial", "aborted"]);
});

test("a model that is gone is a 502 that says so", async () => {
  const { server, path } = await model(echo);
  server.close();
  server.closeAllConnections();
  const { raw, text } = await ask(path, "/");
  expect([raw.statusCode, text]).toEqual([502, expect.stringMatching(/^harness: the model or the server cannot be reached: /)]);
});

test("an agent that hangs up ends the request to the model", async () => {
  let gone = () => {};
  const left = new Promise<void>((resolve) => {
    gone = resolve;
  });
  const { path } = await model((_request, response) => {
    response.on("close", () => gone());
    response.write("…");
  });
  const request = httpRequest({ socketPath: path, path: "/" });
  request.on("error", () => {}).end();
  await once(request, "response");
  request.destroy();
  await left;
});

test("each connection inside has one outside, and they end together", async () => {
  const outside = new Set<Socket>();
  const { path, records, server } = await model((request, response) => {
    outside.add(request.socket);
    response.end("ok");
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let i = 0; i < 3; i++) await ask(path, "/", { agent });
  expect([outside.size, records.length]).toEqual([1, 0]);
  server.closeIdleConnections();
  await expect.poll(() => records).toHaveLength(1);
  await ask(path, "/", { agent });
  agent.destroy();
  expect(outside.size).toBe(2);
  await expect.poll(() => records).toHaveLength(2);
  expect(records[0]).toMatchObject({ host: "127.0.0.1", decision: "allow", reason: "the model" });
  expect([records[0]?.up, records[0]?.down].every((bytes) => (bytes ?? 0) > 100)).toBe(true);
});

test("pipelined requests are answered in order", async () => {
  const { path } = await model((request, response) => void setTimeout(() => response.end(request.url), request.url === "/1" ? 40 : 0));
  const socket = connect(path);
  socket.write("GET /1 HTTP/1.1\r\nhost: x\r\n\r\nGET /2 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(socket, "close");
  expect(
    Buffer.concat(chunks)
      .toString()
      .match(/^\/\d$|(?<=\n)\/\d/gm),
  ).toEqual(["/1", "/2"]);
});

test("a websocket passes, with the real key in its request", async () => {
  const keys = holdKeys(["A_API_KEY"], { A_API_KEY: "real-key-of-the-user" });
  let sent: string | undefined;
  const { path, records } = await model(echo, {
    keys,
    upgrade: (request, socket) => {
      sent = request.headers.authorization;
      socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nfirst ");
      socket.on("error", () => {}).pipe(socket);
    },
  });
  const request = httpRequest({
    socketPath: path,
    path: "/v1/responses",
    headers: { connection: "Upgrade", upgrade: "websocket", authorization: `Bearer ${keys[0]?.placeholder}` },
  });
  request.end();
  const [, socket, head] = (await once(request, "upgrade")) as [IncomingMessage, Socket, Buffer];
  const chunks = [head];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.end("hello");
  await once(socket, "close");
  expect([sent, Buffer.concat(chunks).toString()]).toEqual(["Bearer real-key-of-the-user", "first hello"]);
  await expect.poll(() => records).toHaveLength(1);
});

test("a model that does not want a websocket answers as usual", async () => {
  const { path } = await model((_, response) => void response.writeHead(426).end("no"), {
    upgrade: (_request, socket) => void socket.end("HTTP/1.1 426 Upgrade Required\r\ncontent-length: 2\r\n\r\nno"),
  });
  const { raw, text } = await ask(path, "/", { headers: { connection: "Upgrade", upgrade: "websocket" } });
  expect([raw.statusCode, text]).toEqual([426, "no"]);
});

test("a program that asks the proxy for the model's port inside reaches the model, by CONNECT and by a whole address", async () => {
  const { proxy, records, url } = await model(echo);
  const whole = await ask(proxy, `http://127.0.0.1:${PORT}/v1/x`);
  expect(JSON.parse(whole.text)).toMatchObject({ url: "/v1/x", headers: expect.arrayContaining([url.host]) });
  const request = httpRequest({ socketPath: proxy, method: "CONNECT", path: `localhost:${PORT}` });
  request.end();
  const [, socket] = (await once(request, "connect")) as [IncomingMessage, Socket];
  socket.write("GET /v1/y HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(socket, "close");
  expect(Buffer.concat(chunks).toString()).toContain('"/v1/y"');
  await expect.poll(() => records.map(({ reason }) => reason)).toEqual(["the model", "the model"]);
});

test("a tap sees both directions chunk by chunk, and never a real key", async () => {
  const seen: unknown[] = [];
  const hash = createHash("sha256");
  const tap: Tap = ({ method, path, headers }) => {
    seen.push([method, path, headers.includes("Bearer real-key-of-the-user")]);
    return {
      sent: (chunk) => void hash.update(chunk),
      asked: () => {},
      answered: ({ status }) => void seen.push(status),
      received: (chunk) => void seen.push(Buffer.from(chunk).toString()),
      ended: (problem) => void seen.push(problem ?? "ended"),
    };
  };
  const keys = holdKeys(["A_API_KEY"], { A_API_KEY: "real-key-of-the-user" });
  const { path } = await model((request, response) => void request.resume().on("end", () => response.end("answer")), { keys, tap });
  const body = Buffer.alloc(300_000, 9);
  await ask(path, "/v1/messages", { method: "POST", headers: { authorization: `Bearer ${keys[0]?.placeholder}` }, body });
  expect(seen).toEqual([["POST", "/v1/messages", false], 200, "answer", "ended"]);
  expect(hash.digest("hex")).toBe(createHash("sha256").update(body).digest("hex"));
});
