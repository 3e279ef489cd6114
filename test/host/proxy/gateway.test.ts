import { once } from "node:events";
import { existsSync, readdirSync, statSync } from "node:fs";
import { createServer, request as httpRequest, type IncomingMessage, type RequestListener } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { Connection } from "../../../src/host/proxy/connection.ts";
import { type Gateway, type GatewayOptions, openGateway } from "../../../src/host/proxy/gateway.ts";
import { networkPolicy } from "../../../src/host/proxy/policy.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanups.push(() => {
    server.close();
    (server as { closeAllConnections?: () => void }).closeAllConnections?.();
  });
  return (server.address() as AddressInfo).port;
}

const serve = (answer: RequestListener) => listening(createServer(answer));

async function gateway(policy: string, options: Partial<GatewayOptions> = {}) {
  const records: Connection[] = [];
  const open = await openGateway({ policy: networkPolicy(policy), models: [], record: (each) => records.push(each), ...options });
  cleanups.push(() => open.close());
  return { open, records, proxy: socketOf(open, open.proxyPort) };
}

const socketOf = ({ folder, ports }: Gateway, port: number) => join(folder, ports.get(port) ?? "");

/** Sends text verbatim, and returns everything that comes back. */
async function say(path: string, text: string): Promise<string> {
  const socket = connect(path);
  socket.write(text);
  return heard(socket);
}

async function heard(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", () => {});
  await once(socket, "close");
  return Buffer.concat(chunks).toString("latin1");
}

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
  readonly raw: IncomingMessage;
}

function ask(
  socketPath: string,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = "GET", headers = {}, body } = options;
    const request = httpRequest({ socketPath, path, method, headers, agent: false }, (raw) => {
      const chunks: Buffer[] = [];
      raw.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", reject);
      raw.on("end", () => resolve({ status: raw.statusCode, text: Buffer.concat(chunks).toString(), raw }));
    });
    request.on("error", reject);
    request.end(body);
  });
}

/** A tunnel through CONNECT. */
function tunnelTo(socketPath: string, authority: string): Promise<{ status: number | undefined; socket: Socket; head: Buffer }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ socketPath, method: "CONNECT", path: authority, agent: false });
    request
      .on("connect", ({ statusCode }, socket, head) => resolve({ status: statusCode, socket, head }))
      .on("error", reject)
      .end();
  });
}

/** A name server that answers differently each time. */
const answers = (...lists: readonly (readonly string[])[]) => {
  let i = 0;
  return async () => lists[Math.min(i++, lists.length - 1)] ?? [];
};

test("only its owner can open the directory of the sockets, and closing removes it", async () => {
  const { open } = await gateway("model");
  expect(statSync(open.folder).mode & 0o777).toBe(0o700);
  await open.close();
  expect(existsSync(open.folder)).toBe(false);
});

test("a tunnel carries bytes both ways, and records them", async () => {
  const port = await listening(createTcpServer((socket) => socket.pipe(socket)));
  const { proxy, records } = await gateway(`allow:127.0.0.1:${port}`);
  const { status, socket } = await tunnelTo(proxy, `127.0.0.1:${port}`);
  socket.end("hello");
  expect([status, await heard(socket)]).toEqual([200, "hello"]);
  await expect.poll(() => records).toHaveLength(1);
  expect(records[0]).toMatchObject({ host: "127.0.0.1", port, decision: "allow", reason: `allowed as 127.0.0.1:${port}`, up: 5, down: 5 });
});

test("a request with a whole address is passed on with its own host, and without headers for the proxy", async () => {
  const port = await serve((request, response) => response.end(JSON.stringify([request.url, request.rawHeaders])));
  const { proxy, records } = await gateway(`allow:127.0.0.1:${port}`);
  const headers = { host: "evil.example", "proxy-authorization": "Basic x", "X-Kept": "1", connection: "x-own", "x-own": "2" };
  const { text } = await ask(proxy, `http://127.0.0.1:${port}/a?b=c`, { headers });
  const [url, sent] = JSON.parse(text) as [string, string[]];
  expect([url, sent.join(" ")]).toEqual(["/a?b=c", `host 127.0.0.1:${port} X-Kept 1 Connection close`]);
  await expect.poll(() => records).toHaveLength(1);
  expect(records[0]?.down).toBeGreaterThan(0);
});

test("what the policy does not allow is denied with a reason, and recorded", async () => {
  const { proxy, records } = await gateway("model");
  const answer = await ask(proxy, "http://example.org/");
  expect([answer.status, answer.text]).toEqual([403, "harness: this run reaches only its model.\n"]);
  expect(await say(proxy, "CONNECT example.org:443 HTTP/1.1\r\nhost: example.org\r\n\r\n")).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
  expect(records.map(({ host, port, decision, up, down }) => [host, port, decision, up, down])).toEqual([
    ["example.org", 80, "deny", 0, 0],
    ["example.org", 443, "deny", 0, 0],
  ]);
});

test.each([
  "127.1",
  "0x7f.1",
  "2130706433",
  "0177.0.0.1",
  "user@127.0.0.1",
  "127.0.0.1.",
  "localhost",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "127.0.0.1",
  "0.0.0.0",
  "[::]",
])("an open network does not lead to this machine as %s", async (host) => {
  let visits = 0;
  const port = await listening(
    createTcpServer((socket) => {
      visits++;
      socket.destroy();
    }),
  );
  const { proxy, records } = await gateway("open");
  expect(await say(proxy, `CONNECT ${host}:${port} HTTP/1.1\r\nhost: x\r\n\r\n`)).toMatch(/^HTTP\/1\.1 403 /);
  expect(await say(proxy, `GET http://${host}:${port}/ HTTP/1.1\r\nhost: x\r\n\r\n`)).toMatch(/^HTTP\/1\.1 403 /);
  expect([visits, records.map(({ decision }) => decision)]).toEqual([0, ["deny", "deny"]]);
});

test("DNS rebinding: a name that leads to this machine is denied, also if it leads elsewhere, too, and is resolved only once", async () => {
  let visits = 0;
  const port = await listening(
    createTcpServer((socket) => {
      visits++;
      socket.destroy();
    }),
  );
  for (const lists of [[["127.0.0.1"]], [["8.8.8.8", "127.0.0.1"]], [["::ffff:127.0.0.1"]], [["169.254.169.254"]]]) {
    const { proxy, records } = await gateway(`allow:rebind.example:${port}`, { lookup: answers(...lists) });
    expect(await say(proxy, `CONNECT rebind.example:${port} HTTP/1.1\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 403 [\s\S]*which is not a public address/,
    );
    expect(records.map(({ decision }) => decision)).toEqual(["deny"]);
  }
  let lookups = 0;
  const lookup = async () => (lookups++ === 0 ? ["192.0.2.1"] : ["127.0.0.1"]);
  const { proxy } = await gateway(`allow:rebind.example:${port}`, { lookup });
  await say(proxy, `CONNECT rebind.example:${port} HTTP/1.1\r\n\r\n`);
  expect([lookups, visits]).toEqual([1, 0]);
});

test("a host that cannot be resolved or reached is a failure, not a denial", async () => {
  const { proxy, records } = await gateway("allow:gone.example,127.0.0.1:1", {
    lookup: async () => Promise.reject(new Error("ENOTFOUND")),
  });
  expect(await say(proxy, "CONNECT gone.example:443 HTTP/1.1\r\n\r\n")).toMatch(/^HTTP\/1\.1 502 [\s\S]*gone.example cannot be resolved/);
  expect(await say(proxy, "CONNECT 127.0.0.1:1 HTTP/1.1\r\n\r\n")).toMatch(/^HTTP\/1\.1 502 [\s\S]*cannot be reached \(ECONNREFUSED\)/);
  expect(records.map(({ decision }) => decision)).toEqual(["allow", "allow"]);
});

test.each([
  ["two lengths", "POST http://HOST/ HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello!"],
  [
    "a length and chunks",
    "POST http://HOST/ HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET http://HOST/smuggled HTTP/1.1\r\n\r\n",
  ],
  ["a space before the colon", "POST http://HOST/ HTTP/1.1\r\nhost: x\r\ntransfer-encoding : chunked\r\n\r\n0\r\n\r\n"],
  ["a folded header", "GET http://HOST/ HTTP/1.1\r\nhost: x\r\nx-a: 1\r\n content-length: 5\r\n\r\n"],
  ["a bare line feed in a name", "GET http://HOST/ HTTP/1.1\r\nhost: x\r\nx\n-a: 1\r\n\r\n"],
  ["an odd encoding", "POST http://HOST/ HTTP/1.1\r\nhost: x\r\ntransfer-encoding: xchunked\r\n\r\n0\r\n\r\n"],
])("header smuggling: a request with %s is rejected", async (_, text) => {
  const paths: string[] = [];
  const port = await serve((request, response) => {
    paths.push(request.url ?? "");
    response.end();
  });
  const { proxy } = await gateway(`allow:127.0.0.1:${port}`);
  expect(await say(proxy, text.replaceAll("HOST", `127.0.0.1:${port}`))).toMatch(/^HTTP\/1\.1 400 /);
  expect(paths).toEqual([]);
});

test("each side of a tunnel may end first, and a large answer still arrives in full", async () => {
  const size = 3 * 2 ** 20;
  const port = await listening(
    createTcpServer({ allowHalfOpen: true }, (socket) => {
      socket.on("end", () => socket.end(Buffer.alloc(size, 1))).resume();
    }),
  );
  const { proxy } = await gateway(`allow:127.0.0.1:${port}`);
  const { socket } = await tunnelTo(proxy, `127.0.0.1:${port}`);
  socket.end("done");
  expect((await heard(socket)).length).toBe(size);
});

test("a port of this machine that the user named has the same number inside", async () => {
  const port = await serve((_, response) => response.end("local"));
  const { open, records } = await gateway(`allow:127.0.0.1:${port}`);
  expect((await ask(socketOf(open, port), "/")).text).toBe("local");
  await expect.poll(() => records).toHaveLength(1);
});

test("a client that leaves ends the connection outside", async () => {
  const closed: Promise<unknown>[] = [];
  const port = await listening(
    createTcpServer(
      (socket) =>
        void closed.push(
          once(
            socket.on("error", () => {}),
            "close",
          ),
        ),
    ),
  );
  const { proxy, records } = await gateway(`allow:127.0.0.1:${port}`);
  const { socket } = await tunnelTo(proxy, `127.0.0.1:${port}`);
  socket.destroy();
  await expect.poll(() => records).toHaveLength(1);
  await Promise.all(closed);
});

test("a closed gateway fails closed, and records what was open", async () => {
  const port = await listening(createTcpServer((socket) => void socket.on("error", () => {})));
  const { open, proxy, records } = await gateway(`allow:127.0.0.1:${port}`);
  const { socket } = await tunnelTo(proxy, `127.0.0.1:${port}`);
  const ended = heard(socket);
  await open.close();
  await ended;
  expect(records).toHaveLength(1);
  await expect(ask(proxy, "http://example.org/")).rejects.toThrow(/ENOENT|ECONNREFUSED/);
});

test("two hundred parallel streams get their own bytes, and no descriptor is left", async () => {
  const port = await listening(createTcpServer((socket) => socket.on("error", () => {}).pipe(socket)));
  const { open, proxy, records } = await gateway(`allow:127.0.0.1:${port}`);
  const before = readdirSync("/proc/self/fd").length;
  const sizes = await Promise.all(
    Array.from({ length: 200 }, async (_, i) => {
      const { socket } = await tunnelTo(proxy, `127.0.0.1:${port}`);
      const sent = Buffer.alloc(50_000, i);
      socket.end(sent);
      return Buffer.from(await heard(socket), "latin1").equals(sent);
    }),
  );
  expect(sizes.every(Boolean)).toBe(true);
  await expect.poll(() => records.length).toBe(200);
  await open.close();
  await expect.poll(() => readdirSync("/proc/self/fd").length).toBeLessThanOrEqual(before);
});

test("a slow reader holds the sender back: a hundred megabytes pass in bounded memory", async () => {
  const total = 100 * 2 ** 20;
  const block = Buffer.alloc(2 ** 20, 7);
  let left = total;
  const port = await listening(
    createTcpServer((socket) => {
      const more = (): void => {
        while (left > 0) {
          left -= block.length;
          if (!socket.write(block)) return void socket.once("drain", more);
        }
        socket.end();
      };
      socket.on("error", () => {});
      more();
    }),
  );
  const { proxy, records } = await gateway(`allow:127.0.0.1:${port}`);
  const { socket, head } = await tunnelTo(proxy, `127.0.0.1:${port}`);
  socket.pause();
  await new Promise((resolve) => setTimeout(resolve, 300)); // it reads nothing
  expect(total - left).toBeLessThan(40 * 2 ** 20); // what was sent and not read: more would be in our memory
  let read = head.length;
  socket.on("data", (chunk: Buffer) => {
    read += chunk.length;
  });
  socket.resume();
  await once(socket, "end");
  socket.destroy();
  expect(read).toBe(total);
  await expect.poll(() => records[0]?.down).toBe(total);
});
