import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { servePage } from "../../src/app/web/serve-page.ts";
import { serveHttp } from "../../src/host/listen/index.ts";
import { dataDirectoryAt } from "../../src/host/recording/format/data-directory.ts";
import { pageServer } from "../../src/work/conformance/permissions/try-level.ts";
import { serveModel } from "../../src/work/model/serve-model.ts";
import { raw, statusOf } from "../app/web/server.ts";
import { cleanUp, directory } from "../support/harness.ts";
import { eventually } from "../support/place.ts";
import { filesIn, ROOT } from "./imports.ts";
import { isNode, type Node, syntaxOf } from "./syntax.ts";

/** S11: everything that listens, and what each of them rejects. */

afterAll(cleanUp);

/** A new listener for HTTP uses `serveHttp` and joins the table; a socket in a private directory needs a reason here. */
const LISTENERS: Readonly<Record<string, string>> = {
  "src/host/listen/bind.ts": "of serveHttp",
  "src/host/files/lock-socket.ts": "a socket with mode 0600, which reads nothing",
  "src/host/isolation/probe.ts": "a port that must not be reached, open for the time of the probe",
  "src/host/proxy/open-wire.ts": "a port of loopback for one run, which limits connections and heads and demands the run's secret",
  "src/host/proxy/gateway.ts": "sockets in a directory with mode 0700, which limit connections and heads",
  "src/host/recording/write/decisions.ts": "a socket in a directory with mode 0700, which limits connections, sizes and time",
};

interface Tried {
  readonly url: string;
  readonly path: string;
  readonly close: () => Promise<void>;
}

const SERVERS: Readonly<Record<string, () => Promise<Tried>>> = {
  "src/app/web/serve-page.ts": async () => {
    const options = { data: dataDirectoryAt(directory()), others: new Map(), files: join(ROOT, "dist/page"), cache: directory(), port: 0 };
    const { url, close } = await servePage(options);
    return { url: new URL(url).origin, path: "/page.css", close };
  },
  "src/work/model/serve-model.ts": async () => ({ ...(await serveModel({ scenarios: [] })), path: "/v1/models" }),
  "src/work/conformance/permissions/try-level.ts": async () => {
    const { url, close } = await pageServer();
    return { url: new URL(url).origin, path: "/", close };
  },
};

const SOURCES = filesIn("src");

function listens(node: Node): boolean {
  const callee = node["callee"];
  const property = isNode(callee) ? callee["property"] : undefined;
  return node.type === "CallExpression" && isNode(property) && property["name"] === "listen";
}

test("every listener is known", () => {
  expect(SOURCES.filter((file) => syntaxOf(file).nodes.some(listens))).toEqual(Object.keys(LISTENERS).sort());
  const made = SOURCES.filter((file) => syntaxOf(file).nodes.some((node) => node["name"] === "serveHttp" && node.type === "Identifier"));
  const own = ["src/host/listen/index.ts", "src/host/listen/serve-http.ts"];
  expect(made).toEqual([...Object.keys(SERVERS), ...own].sort());
});

function requestOf(path: string, headers: Readonly<Record<string, string | undefined>>, method = "GET"): string {
  const lines = Object.entries({ Connection: "close", ...headers }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}\r\n`],
  );
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

describe.each(Object.keys(SERVERS))("S11: %s", (name) => {
  let server: Tried;
  let port: number;
  beforeAll(async () => {
    server = (await SERVERS[name]?.()) as Tried;
    port = Number(new URL(server.url).port);
  });
  afterAll(() => server.close());

  const ask = async (headers: Readonly<Record<string, string | undefined>>, method?: string) =>
    statusOf(await raw(port, requestOf(server.path, { Host: `127.0.0.1:${port}`, ...headers }, method)));

  test("answers a program on this machine, and its own page", async () => {
    expect(await ask({})).toBe(200);
    expect(await ask({ Host: `localhost:${port}` })).toBe(200);
    expect(await ask({ Origin: `http://127.0.0.1:${port}`, "Sec-Fetch-Site": "same-origin" })).toBe(200);
  });

  test.each<[string, Readonly<Record<string, string | undefined>>]>([
    ["a name that was rebound to this machine", { Host: "evil.example" }],
    ["a rebound name with our port", { Host: "evil.example:4680" }],
    ["a name that starts with ours", { Host: "127.0.0.1.evil.example" }],
    ["our name without the port", { Host: "127.0.0.1" }],
    ["a page of a different site", { Origin: "http://evil.example" }],
    ["a page of a different port", { Origin: "http://127.0.0.1:1" }],
    ["a page without an origin", { Origin: "null" }],
    ["an image on a different site", { "Sec-Fetch-Site": "cross-site" }],
    ["a different port of this machine, as browsers report it", { "Sec-Fetch-Site": "same-site" }],
  ])("rejects %s", async (_, headers) => {
    expect(await ask(headers)).toBe(403);
  });

  test("rejects a missing and a second Host, proxies, websockets, large headers and noise", async () => {
    expect([400, 403]).toContain(await ask({ Host: undefined }));
    expect([400, 403]).toContain(await ask({ host: "evil.example" }));
    expect(statusOf(await raw(port, requestOf("http://evil.example/", { Host: `127.0.0.1:${port}` })))).toBe(400);
    expect(statusOf(await raw(port, requestOf("evil.example:80", { Host: `127.0.0.1:${port}` }, "CONNECT")))).toBe(405);
    expect([403, 426]).toContain(await ask({ Connection: "Upgrade", Upgrade: "websocket" }));
    expect([400, 431, 0]).toContain(await ask({ "X-Much": "a".repeat(100_000) }));
    expect(statusOf(await raw(port, "\0\x16\x03\x01 noise\r\n\r\n"))).toBe(400);
    expect(await ask({})).toBe(200);
  });

  test("answers no preflight of a different site", async () => {
    const answer = await raw(
      port,
      requestOf(
        server.path,
        { Host: `127.0.0.1:${port}`, Origin: "http://evil.example", "Access-Control-Request-Method": "POST" },
        "OPTIONS",
      ),
    );
    expect([403, 405]).toContain(statusOf(answer));
    expect(answer.toLowerCase()).not.toContain("access-control-allow");
  });
});

describe("S11: limits", () => {
  const sockets: Socket[] = [];
  const open = (port: number, text = "") =>
    new Promise<Socket>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(socket));
      socket.on("error", () => {}).resume();
      socket.write(text);
      sockets.push(socket);
    });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
  });

  test("connections, requests under way, bodies and the time for headers", async () => {
    const waiting: (() => void)[] = [];
    const { port, close } = await serveHttp({
      answer: (_, response) => void waiting.push(() => response.end("done")),
      refuse: (response, { status, message }) => response.writeHead(status).end(message),
      mostBytes: 10,
      port: 0,
      mostConnections: 6,
      mostRequests: 3,
      patienceMs: 500,
      requestMs: 500,
    });
    const get = requestOf("/", { Host: `127.0.0.1:${port}` });
    for (let i = 0; i < 3; i++) await open(port, get);
    await eventually(() => expect(waiting).toHaveLength(3));
    expect(statusOf(await raw(port, get))).toBe(503);
    for (const answer of waiting.splice(0)) answer();
    await eventually(() => expect(sockets.every(({ destroyed }) => destroyed)).toBe(true));

    const late = await Promise.all([open(port, "GET / HTTP/1.1\r\n"), open(port)]);
    const closed = late.map((socket) => new Promise((resolve) => socket.on("close", resolve)));
    await Promise.all(closed); // otherwise this test runs out of time

    expect(statusOf(await raw(port, requestOf("/", { Host: `127.0.0.1:${port}`, "Content-Length": "11" }, "POST")))).toBe(413);

    const many = await Promise.all(Array.from({ length: 20 }, () => open(port)));
    await eventually(() => expect(many.filter(({ destroyed }) => !destroyed).length).toBeLessThanOrEqual(6));
    await close();
  });
});
