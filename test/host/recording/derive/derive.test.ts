import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { agents, derive, HarnessError, views } from "../../../../src/index.ts";

/** The library's main entry point. */

const folder = mkdtempSync(join(tmpdir(), "harness-derive-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const RAW = join(import.meta.dirname, "../../../../fixtures/codex/full/raw.jsonl");

async function all<T>(records: AsyncIterable<T>): Promise<T[]> {
  const out: T[] = [];
  for await (const record of records) out.push(record);
  return out;
}

test("O7: all of stdout comes before stderr, also a last line without a newline", async () => {
  const stdout = Buffer.from("one\ntwo");
  const records = await all(derive(stdout, { agent: "generic", stderr: Buffer.from("a complaint\n"), view: "log" }));
  const types = records.map(({ type }) => type).filter((type) => type === "message" || type === "warning");
  expect(types.indexOf("warning")).toBe(types.length - 1);
  expect(types.length).toBeGreaterThan(1);
});

describe("sources", () => {
  test("a path, a URL, bytes and a stream give the same records", async () => {
    const options = { agent: "codex", view: "result" } as const;
    const [expected] = await all(derive(RAW, options));
    const { readFileSync, createReadStream } = await import("node:fs");
    for (const source of [pathToFileURL(RAW), readFileSync(RAW), createReadStream(RAW, { highWaterMark: 7 })]) {
      expect(await all(derive(source, options))).toEqual([expected]);
    }
  });

  test("a file's records have its modification time, in whole milliseconds", async () => {
    const [first] = await all(derive(RAW, { agent: "codex", view: "log" }));
    expect(Number.isInteger(first?.at)).toBe(true);
  });

  test.each([
    ["a missing file", join(folder, "missing"), /there is no such file/],
    ["a directory", folder, /is a directory/],
    ["a path through a file", join(RAW, "x"), /not a directory/],
  ])("%s rejects with one sentence before the first record", async (_, source, sentence) => {
    await expect(all(derive(source, { agent: "codex" }))).rejects.toThrow(sentence);
    await expect(all(derive(RAW, { agent: "codex", stderr: source }))).rejects.toBeInstanceOf(HarnessError);
  });
});

describe("choices", () => {
  test("an alias, an agent object and a view object work like ids", async () => {
    const [expected] = await all(derive(RAW, { agent: "codex", view: "result" }));
    expect(await all(derive(RAW, { agent: "openai-codex", view: "result" }))).toEqual([expected]);
    expect(await all(derive(RAW, { agent: agents.codex, view: views.result }))).toEqual([expected]);
  });

  test("an unknown agent or view throws one sentence with the nearest name", () => {
    expect(() => derive(RAW, { agent: "cluade" })).toThrow(
      `There is no agent called "cluade". Did you mean claude? Known: ${Object.keys(agents).join(", ")}.`,
    );
    expect(() => derive(RAW, { agent: "codex", view: "constructor" as "log" })).toThrow(HarnessError);
  });

  test("misuse is one HarnessError", async () => {
    const wrong = [
      () => derive(RAW, {} as never),
      () => derive(RAW, { agent: 5 } as never),
      () => derive(undefined as never, { agent: "codex" }),
    ];
    for (const each of wrong) expect(each).toThrow(HarnessError);
    async function* text() {
      yield "{}\n" as never;
    }
    await expect(all(derive(text(), { agent: "codex" }))).rejects.toBeInstanceOf(HarnessError);
  });

  test("a relative cwd is made absolute", async () => {
    const reads = (await all(derive(RAW, { agent: "codex", cwd: "somewhere" }))).filter(({ type }) => type === "read");
    expect(reads[0]).toMatchObject({ path: join(process.cwd(), "somewhere/notes.txt") });
  });

  test("refs add the event, the call and the bytes, and match across views", async () => {
    const commands = (await all(derive(RAW, { agent: "codex", refs: true }))).filter((record) => record.type === "command");
    const ends = (await all(derive(RAW, { agent: "codex", view: "stream", refs: true }))).filter((record) => record.type === "ToolEnd");
    for (const { seq, callId, offset, length } of commands) {
      expect(ends.filter((end) => end.seq === seq)).toMatchObject([{ call_id: callId, callId, offset, length }]);
    }
    expect(commands.length).toBeGreaterThan(2);
  });
});

test("the range of a record from several lines covers them all", async () => {
  const line = (text: string) => `${JSON.stringify({ type: "assistant", message: { id: "m", content: [{ type: "text", text }] } })}\n`;
  const input = Buffer.from(line("one ") + line("message"));
  const [record] = await all(derive(input, { agent: "claude", refs: true }));
  expect(record).toMatchObject({ message: "one message", offset: 0, length: input.length - 1 });
});

test.each(["activity", "stream"] as const)("with refs, the parts of an interrupted message share its messageId in %s", async (view) => {
  const line = (text: string) => `${JSON.stringify({ type: "assistant", message: { id: "m", content: [{ type: "text", text }] } })}\n`;
  const records = await all(derive(Buffer.from(`${line("one ")}not JSON\n${line("message")}`), { agent: "claude", view, refs: true }));
  const ids = records.map(({ messageId }) => messageId).filter((id) => id !== undefined);
  expect(ids.length).toBeGreaterThan(1);
  expect(new Set(ids)).toEqual(new Set(["m"]));
});

test("results that report only their own turn are added up, but not their cost", async () => {
  const result = (input_tokens: number, total_cost_usd: number) => ({
    type: "result",
    subtype: "success",
    is_error: false,
    total_cost_usd,
    usage: { input_tokens },
  });
  const input = Buffer.from([result(100, 0.5), result(40, 0.7)].map((each) => `${JSON.stringify(each)}\n`).join(""));
  const [verdict] = await all(derive(input, { agent: "claude", view: "result" }));
  expect(verdict?.usage.input).toBe(140);
  expect(verdict?.cost).toBeCloseTo(0.7);
});

test("a subagent's text is neither the run's answer nor one of its deltas", async () => {
  const delta = {
    type: "stream_event",
    parent_tool_use_id: "t",
    event: { type: "content_block_delta", delta: { type: "text_delta", text: "sub" } },
  };
  const said = { type: "assistant", parent_tool_use_id: "t", message: { id: "s", content: [{ type: "text", text: "sub" }] } };
  const main = { type: "assistant", message: { id: "m", content: [{ type: "text", text: "main" }] } };
  const input = Buffer.from([main, delta, said].map((each) => `${JSON.stringify(each)}\n`).join(""));
  expect(await all(derive(input, { agent: "claude", view: "result" }))).toMatchObject([{ output: "main" }]);
  const deltas = (await all(derive(input, { agent: "claude", view: "stream" }))).filter(({ type }) => type === "TextDelta");
  expect(deltas).toMatchObject([{ text: "main" }, { text: "sub", subagent_id: "t" }]);
});

describe("iteration", () => {
  test("calling next() without waiting keeps the order, and the end stays the end", async () => {
    const expected = await all(derive(RAW, { agent: "codex", view: "log" }));
    const iterator = derive(RAW, { agent: "codex", view: "log" })[Symbol.asyncIterator]();
    const asked = await Promise.all(Array.from({ length: expected.length + 5 }, () => iterator.next()));
    expect(asked.filter(({ done }) => !done).map(({ value }) => value)).toEqual(expected);
    expect(asked.slice(-5)).toEqual(Array.from({ length: 5 }, () => ({ value: undefined, done: true })));
    expect(await iterator.next()).toEqual({ value: undefined, done: true });
  });

  test("batches hold the same records", async () => {
    const batches = await all(derive(RAW, { agent: "codex", view: "stream" }).batches());
    expect(batches.flat()).toEqual(await all(derive(RAW, { agent: "codex", view: "stream" })));
  });

  test("a source that throws rejects: errors do not pass for data", async () => {
    async function* broken(): AsyncIterable<Uint8Array> {
      yield Buffer.from("{}\n");
      throw new Error("the wire was cut");
    }
    await expect(all(derive(broken(), { agent: "codex" }))).rejects.toThrow("the wire was cut");
  });
});

test("an empty input is a run without any known facts", async () => {
  const file = join(folder, "empty");
  writeFileSync(file, "");
  expect(await all(derive(file, { agent: "claude" }))).toEqual([]);
  expect(await all(derive(file, { agent: "claude", view: "result" }))).toMatchObject([
    { status: null, reason: "result-missing", unknown: 0 },
  ]);
  expect((await all(derive(file, { agent: "claude", view: "stream" }))).map(({ type }) => type)).toEqual(["SessionStart", "Result"]);
});
