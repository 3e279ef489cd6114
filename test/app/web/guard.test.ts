import { request } from "node:http";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cleanUp, type Place, place } from "../../support/place.ts";
import { record } from "./recorded.ts";
import { raw, statusOf, type Visited, visited } from "./server.ts";

/** Access control and abuse of the server, without a browser. */

let where: Place;
let page: Visited;
let id: string;
beforeAll(async () => {
  where = place();
  id = await record(where, "claude/full");
  page = await visited(where);
});
afterAll(async () => {
  await page.close();
  cleanUp();
});

function get(path: string, headers: Readonly<Record<string, string>> = {}, method = "GET"): string {
  const all = { Host: `127.0.0.1:${page.port}`, Authorization: page.authorization, Connection: "close", ...headers };
  return `${method} ${path} HTTP/1.1\r\n${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`;
}

describe("access", () => {
  test("is given to a client with the token", async () => {
    expect(statusOf(await raw(page.port, get("/api/runs")))).toBe(200);
    expect(statusOf(await raw(page.port, get("/api/runs", { Host: `localhost:${page.port}` })))).toBe(200);
    expect(
      statusOf(await raw(page.port, get("/api/runs", { Origin: `http://127.0.0.1:${page.port}`, "Sec-Fetch-Site": "same-origin" }))),
    ).toBe(200);
  });

  const others: readonly (readonly [string, string, Readonly<Record<string, string>>, number])[] = [
    ["no token", "/api/runs", { Authorization: "" }, 401],
    ["a wrong token", "/api/runs", { Authorization: `Bearer ${"A".repeat(43)}` }, 401],
    ["a token as a password", "/api/runs", { Authorization: "Basic eDp4" }, 401],
    ["a token in the address", "/api/runs?token=x", { Authorization: "" }, 401],
    ["a cookie of an earlier version", "/api/runs", { Authorization: "", Cookie: `harness_1=99999999999999.${"A".repeat(43)}` }, 401],
    ["the page itself, which has no data", "/", { Authorization: "" }, 200],
    [
      "a link from a different site",
      "/",
      { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" },
      200,
    ],
    ["a link to data", "/api/runs", { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" }, 403],
    ["a frame on a different site", "/", { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe" }, 403],
    ["a body", "/api/runs", { "Content-Length": "5" }, 413],
    ["a body without a length", "/api/runs", { "Transfer-Encoding": "chunked" }, 413],
    ["rebinding: a different name", "/api/runs", { Host: "evil.example" }, 403],
    ["rebinding: a name that starts with ours", "/api/runs", { Host: "127.0.0.1.evil.example" }, 403],
    ["rebinding: our address, a different port", "/api/runs", { Host: "127.0.0.1:1" }, 403],
    ["rebinding: no port", "/api/runs", { Host: "127.0.0.1" }, 403],
    ["the null origin", "/api/runs", { Origin: "null" }, 403],
    ["a different origin", "/api/runs", { Origin: "http://evil.example" }, 403],
    ["our address, a different port", "/api/runs", { Origin: "http://127.0.0.1:1" }, 403],
    ["an image on a different site", "/api/runs", { "Sec-Fetch-Site": "cross-site" }, 403],
    ["a different site on this machine", "/api/runs", { "Sec-Fetch-Site": "same-site" }, 403],
    ["a websocket", "/api/runs", { Connection: "Upgrade", Upgrade: "websocket" }, 403],
    ["traversal", "/api/runs/..%2f..%2f..%2fetc%2fpasswd", {}, 404],
    ["traversal in a file's name", "/..%2f..%2fpackage.json", {}, 404],
    ["plain traversal", "/../../package.json", {}, 404],
    ["a run named ..", "/api/runs/%2e%2e", {}, 404],
    ["malformed percent", "/api/runs/%ZZ", {}, 400],
    ["a bare percent", "/%", {}, 400],
    ["two slashes", "//evil.example/", {}, 400],
    ["a bracket", "//[", {}, 400],
    ["an absolute address", "http://evil.example/api/runs", {}, 400],
    ["our own absolute address", "http://127.0.0.1/api/runs", {}, 400],
    ["an address of 5,000 letters", `/${"a".repeat(5000)}`, {}, 400],
    ["ranges without end", "/api/runs/x/events?seq=1-99999999", {}, 404],
  ];
  test.each(others)("%s", async (_, path, headers, status) => {
    expect(statusOf(await raw(page.port, get(path, headers)))).toBe(status);
  });

  test.each(["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])("%s is rejected, also from a form", async (method) => {
    expect(statusOf(await raw(page.port, get("/api/runs", { "Content-Type": "text/plain" }, method)))).toBe(405);
  });

  test("rejects two Host headers, and none", async () => {
    const twice = get("/api/runs").replace("Authorization:", "Host: evil.example\r\nAuthorization:");
    expect([400, 403]).toContain(statusOf(await raw(page.port, twice)));
    expect([400, 403]).toContain(statusOf(await raw(page.port, "GET /api/runs HTTP/1.1\r\nConnection: close\r\n\r\n")));
  });

  test("rejects ranges that are too long, backwards, not numbers or past the end", async () => {
    const statuses = await Promise.all(
      [
        "events?seq=1-99999999",
        "events?seq=9-1",
        "events?seq=x",
        "rows?from=-1",
        "rows?from=1e9",
        "raw/stdout?offset=x",
        "search?q=",
        "whole?from=0&to=1",
        "whole?from=9&to=1",
        "whole?from=1",
        "views/nothing",
        "views/__proto__",
        "nothing",
      ].map(async (rest) => (await page.get(`/api/runs/${id}/${rest}`)).status),
    );
    expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 404, 404, 404]);
    expect((await page.get(`/api/runs/${id}/raw/stdout?offset=999999999&length=10`)).status).toBe(200);
    expect((await page.get(`/api/runs/${id}/rows?from=999999`)).status).toBe(200);
    expect((await page.get(`/api/runs/${id}/events/999999`)).status).toBe(404);
    expect(await (await page.get(`/api/runs/${id}/whole?from=999999&to=1000000`)).text()).toBe("");
    const named = (await (await page.get(`/api/runs?ids=..,%2e%2e%2f,${id},__proto__`)).json()) as { rows: { id: string }[] };
    expect(named.rows.map((row) => row.id)).toEqual([id]);
  });
});

test("every response has the strict headers", async () => {
  for (const path of ["/", "/api/runs", `/api/runs/${id}/raw/stdout`, `/api/runs/${id}/views/stream`, "/nothing"]) {
    const { headers } = await page.get(path);
    expect(headers.get("content-security-policy")).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("access-control-allow-origin")).toBeNull();
  }
  const { headers } = await page.get(`/api/runs/${id}/raw/stdout`);
  expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(headers.get("content-disposition")).toMatch(/^attachment; /);
});

test("S9: no response sets a cookie, and the token is in the fragment only, new for every server", async () => {
  for (const path of ["/", "/page.js", "/api/runs", "/?token=x"]) expect((await page.get(path)).headers.get("set-cookie")).toBeNull();
  const { pathname, search, hash } = new URL(page.url);
  expect([pathname, search]).toEqual(["/", ""]);
  expect(hash).toMatch(/^#token=[\w-]{43}$/);
  const next = await visited(where);
  expect(new URL(next.url).hash).not.toBe(hash);
  expect((await fetch(new URL("/api/runs", next.url), { headers: { authorization: page.authorization } })).status).toBe(401);
  await next.close();
});

describe("slow or many clients", () => {
  test("endless headers, and a megabyte of headers", async () => {
    const answer = await raw(page.port, get("/", { "X-Much": "a".repeat(1_000_000) }));
    expect([400, 431, 0]).toContain(statusOf(answer)); // disconnected, with or without a response
    expect((await page.get("/api/runs")).status).toBe(200);
  });

  test("a thousand silent connections", async () => {
    const sockets = Array.from({ length: 1000 }, () => connect(page.port, "127.0.0.1").on("error", () => {}));
    await pause(300);
    for (const socket of sockets) socket.destroy();
    await expect.poll(async () => (await page.get("/api/runs").catch(() => undefined))?.status, { timeout: 20_000 }).toBe(200);
  });

  test("noise does not stop the server", async () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const pieces = [
      "GET ",
      "/",
      "api/",
      "runs/",
      id,
      "%",
      "%2e",
      "..",
      "?",
      "seq=",
      "1-",
      "\0",
      "\r\n",
      "Host: ",
      "é",
      "{}",
      "\\",
      "//",
      "#",
    ];
    for (let i = 0; i < 400; i++) {
      const path = Array.from({ length: 1 + random(12) }, () => pieces[random(pieces.length)]).join("");
      await raw(page.port, i % 2 === 0 ? get(`/${path}`) : `${path}\r\n\r\n`, 2000);
    }
    expect((await page.get("/api/runs")).status).toBe(200);
  });

  test("a request that never ends is disconnected", async () => {
    const other = await visited(where, { patienceMs: 400 });
    const socket = connect(other.port, "127.0.0.1");
    const closed = new Promise<number>((resolve) => socket.on("close", () => resolve(performance.now() - begin)));
    const begin = performance.now();
    socket.on("error", () => {});
    socket.write("GET /api/runs HTTP/1.1\r\n");
    const drip = setInterval(() => socket.write("X-Slow: a\r\n"), 100);
    expect(await closed).toBeLessThan(20_000);
    clearInterval(drip);
    await other.close();
  });

  test("a reader that does not read gets only the newest news, and is disconnected after a while", { timeout: 60_000 }, async () => {
    const { newsStream } = await import("../../../src/app/web/news-stream.ts");
    const { createServer } = await import("node:http");
    const server = createServer((_request, response) => {
      const stream = newsStream<string>(response, (_, later) => later, 3000);
      response.on("close", () => cut());
      let sent = 0;
      let most = 0;
      const timer = setInterval(() => {
        for (let i = 0; i < 200; i++) stream.send(`${sent++} ${"x".repeat(10_000)}`);
        most = Math.max(most, response.writableLength);
        if (sent < 40_000) return; // 400 MB
        clearInterval(timer);
        outcome(most);
      }, 1);
    });
    let outcome: (most: number) => void = () => {};
    let cut: () => void = () => {};
    const most = new Promise<number>((resolve) => (outcome = resolve));
    const isCut = new Promise<void>((resolve) => (cut = resolve));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const client = request({ port: typeof address === "object" ? address?.port : 0, host: "127.0.0.1" }, (response) => response.pause());
    client.on("error", () => {});
    client.end();
    expect(await most).toBeLessThan(1_000_000);
    await isCut; // a real page reconnects and asks for what it missed
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
});
