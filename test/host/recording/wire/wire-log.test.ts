import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { openAppendFile } from "../../../../src/host/files/index.ts";
import { openWire } from "../../../../src/host/proxy/open-wire.ts";
import { readWire, wireFlaws } from "../../../../src/host/recording/wire/read-wire.ts";
import { wireLog } from "../../../../src/host/recording/wire/wire-log.ts";
import { findSecrets, nothingToFind } from "../../../../src/host/secrets/index.ts";
import type { BodyOf, FactBody } from "../../../../src/pure/events/index.ts";
import { cleanUp, directory } from "../../../support/harness.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
  cleanUp();
});

const SECRET = "sk-ant-canary-0123456789abcdef";

/** A provider, and an agent's way to it past a recorder. */
async function wired(answer: RequestListener, secrets: readonly string[] = []) {
  const server = createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanups.push(() => server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const path = join(directory(), "wire.jsonl");
  const file = openAppendFile(path);
  const facts: BodyOf<"model-request">[] = [];
  const record = (fact: FactBody) => void facts.push(fact as BodyOf<"model-request">);
  const find = secrets.length === 0 ? nothingToFind : findSecrets(secrets.map((value) => ({ name: "A_KEY", value })));
  const failures: unknown[] = [];
  const log = wireLog(file, find, { now: () => Date.now(), record, failed: (error) => failures.push(error) });
  const way = await openWire({}, { env: { MODEL: `${url}/v1` }, args: [] }, url, { tap: log.tap });
  cleanups.push(() => way.close());
  const end = async () => {
    await way.close();
    await log.settled();
    file.close();
    expect(failures).toEqual([]);
    return { calls: readWire(path) ?? [], facts, text: readFileSync(path, "utf8"), path };
  };
  return { base: way.env["MODEL"] ?? "", origin: new URL(way.env["MODEL"] ?? "").origin, end };
}

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body), headers });

function events(response: ServerResponse, ...data: readonly object[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const each of data) response.write(`data: ${JSON.stringify(each)}\n\n`);
}

const chunk = (text: string) => ({ model: "m-1", choices: [{ delta: { content: text }, finish_reason: null }] });
const USAGE = {
  prompt_tokens: 10,
  completion_tokens: 7,
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 2 },
};

test("a request and its answer are recorded unchanged, with the provider's numbers", async () => {
  const { base, end } = await wired((_, response) => {
    events(response, chunk("Hé"), chunk("llo"), { choices: [{ delta: {}, finish_reason: "stop" }] }, { choices: [], usage: USAGE });
    response.end("data: [DONE]\n\n");
  });
  const body = JSON.stringify({
    model: "m",
    stream: true,
    messages: [
      { role: "system", content: "S" },
      { role: "user", content: "Hi." },
    ],
  });
  const text = await (await post(`${base}/chat/completions?x=1`, body)).text();
  const { calls, facts, path } = await end();
  expect(calls).toHaveLength(1);
  expect(calls[0]).toMatchObject({ call: 1, method: "POST", path: "/v1/chat/completions?x=1", body, isOver: true });
  expect(Buffer.concat((calls[0]?.answer?.chunks ?? []).map(({ bytes }) => bytes)).toString()).toBe(text);
  expect(facts).toMatchObject([
    {
      request: 1,
      dialect: "openai-chat",
      model: "m-1",
      thread: 1,
      retries: null,
      status: 200,
      stream: true,
      tokens: { input: 6, cacheRead: 4, cacheWrite: null, output: 5, reasoning: 2 },
      finish: "stop",
      messages: 2,
      tools: 0,
    },
  ]);
  expect(facts[0]?.firstMs).toBeLessThanOrEqual(facts[0]?.durationMs ?? 0);
  expect(wireFlaws(path, undefined)).toMatchObject([{ problem: "it was not sealed: it was added later" }]);
});

test("no key is recorded: not in headers, in the query, in texts, nor in pieces of a stream", async () => {
  const { base, end } = await wired(
    (_, response) => {
      response.setHeader("set-cookie", SECRET);
      events(response, chunk(`It is ${SECRET.slice(0, 12)}`), chunk(SECRET.slice(12)), chunk(` and ${SECRET}.`));
      response.end();
    },
    [SECRET],
  );
  const unknown = "a-key-that-no-variable-has";
  const said = await (
    await post(
      `${base}/chat/completions?key=${unknown}`,
      { messages: [{ role: "user", content: SECRET }] },
      { authorization: `Bearer ${unknown}`, "x-api-key": unknown, cookie: unknown, "x-goog-api-key": unknown, "x-title": SECRET },
    )
  ).text();
  expect(said).toContain(SECRET.slice(12)); // the agent gets everything
  const { text, calls } = await end();
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain(SECRET.slice(0, 12));
  expect(text).not.toContain(SECRET.slice(12));
  expect(text).not.toContain(unknown);
  expect(calls[0]?.headers.map(([name]) => name?.toLowerCase())).toContain("authorization");
  const shown = Buffer.concat((calls[0]?.answer?.chunks ?? []).map(({ bytes }) => bytes)).toString();
  expect(shown.length).toBe(said.length);
});

test("only its own run can use it", async () => {
  let asked = 0;
  const { base, origin, end } = await wired((_, response) => {
    asked++;
    response.end("{}");
  });
  for (const path of ["/", "/v1/messages", `/${"0".repeat(32)}/v1/messages`, `/${new URL(base).pathname.slice(2)}`])
    expect((await post(`${origin}${path}`, {})).status).toBe(403);
  expect((await post(`${base}/messages`, {})).status).toBe(200);
  expect(asked).toBe(1);
  expect((await end()).calls).toHaveLength(1);
});

test("an answer that is cut in the middle is cut for the agent, and recorded up to there", async () => {
  const { base, end } = await wired((_, response) => {
    events(response, chunk("The beginning"));
    setTimeout(() => response.destroy(), 50);
  });
  const response = await post(`${base}/chat/completions`, { stream: true, messages: [] });
  let text = "";
  await expect(
    (async () => {
      for await (const bytes of response.body ?? []) text += Buffer.from(bytes as Uint8Array).toString();
    })(),
  ).rejects.toThrow();
  const { calls, facts } = await end();
  expect(text).toContain("The beginning");
  expect(Buffer.concat((calls[0]?.answer?.chunks ?? []).map(({ bytes }) => bytes)).toString()).toBe(text);
  expect(calls[0]?.problem).toBe("the answer broke off");
  expect(facts[0]).toMatchObject({ status: 200, problem: "the answer broke off", finish: null });
});

test("a storm of 429 is recorded with its limits, and the repetition with the request it repeats", async () => {
  let left = 3;
  const { base, end } = await wired((_, response) => {
    if (left-- > 0) {
      response.writeHead(429, { "retry-after": "2", "x-ratelimit-remaining-tokens": "0", "content-type": "application/json" });
      return void response.end('{"error":{"message":"Too many."}}');
    }
    events(response, chunk("Now."), { choices: [], usage: USAGE });
    return void response.end();
  });
  for (let i = 0; i < 4; i++) await (await post(`${base}/chat/completions`, { messages: [{ role: "user", content: "Again." }] })).text();
  await (await post(`${base}/chat/completions`, { messages: [{ role: "user", content: "Another." }] })).text();
  const { facts } = await end();
  expect(facts.map(({ status, retries, retryAfterMs, thread }) => [status, retries, retryAfterMs, thread])).toEqual([
    [429, null, 2000, 1],
    [429, 1, 2000, 1],
    [429, 2, 2000, 1],
    [200, 3, null, 1],
    [200, null, null, 2],
  ]);
  expect(facts[0]).toMatchObject({ limits: [{ name: "x-ratelimit-remaining-tokens", value: "0" }], problem: "Too many." });
});

test("100 MB pass a slow reader whole, and are recorded whole", async () => {
  const size = 100 * 1024 * 1024;
  const piece = Buffer.alloc(256 * 1024, "0123456789abcdef");
  const { base, end } = await wired((_, response) => {
    let sent = 0;
    const more = () => {
      while (sent < size) {
        sent += piece.length;
        if (!response.write(piece)) return void response.once("drain", more);
      }
      response.end();
    };
    more();
  });
  const response = await post(`${base}/other`, "x");
  let [count, rounds] = [0, 0];
  for await (const bytes of response.body ?? []) {
    count += (bytes as Uint8Array).length;
    if (++rounds % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(count).toBe(size);
  const { calls, facts } = await end();
  expect((calls[0]?.answer?.chunks ?? []).reduce((sum, { bytes }) => sum + bytes.length, 0)).toBe(size);
  expect(facts[0]).toMatchObject({ down: size, dialect: null, tokens: null });
});

test("200 parallel streams keep their contents", async () => {
  const { base, end } = await wired((request, response) => {
    const number = request.headers["x-number"] ?? "";
    events(response, chunk(`begin ${number}`));
    setTimeout(() => {
      response.end(`data: ${JSON.stringify(chunk(`end ${number}`))}\n\n`);
    }, 100);
  });
  const all = Array.from({ length: 200 }, async (_, i) => {
    const body = { stream: true, messages: [{ role: "user", content: `Number ${i}.` }] };
    return (await post(`${base}/chat/completions`, body, { "x-number": String(i) })).text();
  });
  const texts = await Promise.all(all);
  const { calls } = await end();
  expect(calls).toHaveLength(200);
  for (const { body, answer } of calls) {
    const number = Number(/Number (\d+)\./.exec(body ?? "")?.[1]);
    expect(Buffer.concat((answer?.chunks ?? []).map(({ bytes }) => bytes)).toString()).toBe(texts[number]);
  }
});

test("an encoded answer passes unchanged, and is recorded decoded", async () => {
  const text = JSON.stringify({
    type: "message",
    model: "m",
    content: [],
    stop_reason: "end_turn",
    usage: { input_tokens: 3, output_tokens: 1 },
  });
  const { base, end } = await wired((_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
    response.end(gzipSync(text));
  });
  expect(await (await post(`${base}/messages`, { messages: [] })).text()).toBe(text);
  const { calls, facts } = await end();
  expect(Buffer.concat((calls[0]?.answer?.chunks ?? []).map(({ bytes }) => bytes)).toString()).toBe(text);
  expect(facts[0]).toMatchObject({ dialect: "anthropic-messages", finish: "end_turn", tokens: { input: 3, output: 1 } });
});

test("what the agent did not wait for is recorded as far as it came", async () => {
  const { base, end } = await wired((_, response) => events(response, chunk("first")));
  const stop = new AbortController();
  const response = await fetch(`${base}/chat/completions`, { method: "POST", body: "{}", signal: stop.signal });
  await response.body?.getReader().read();
  stop.abort();
  const { calls } = await end();
  expect(calls[0]).toMatchObject({ isOver: true });
  expect(calls[0]?.problem).toMatch(/the agent left|the run ended first|broke off/);
  expect(calls[0]?.answer?.chunks).toHaveLength(1);
});
