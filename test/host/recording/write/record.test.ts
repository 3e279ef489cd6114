import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { decode } from "../../../../src/host/recording/derive/decode.ts";
import { infoOf } from "../../../../src/host/recording/derive/index.ts";
import { runPaths, sessionPaths } from "../../../../src/host/recording/format/run-paths.ts";
import { runReader } from "../../../../src/host/recording/format/run-reader.ts";
import { openRun } from "../../../../src/host/recording/write/open-run.ts";
import { verifyRun } from "../../../../src/host/recording/write/verify-run.ts";
import { derive, type HarnessEvent, openRecording, type RecordOptions, record } from "../../../../src/index.ts";
import { agents } from "../../../../src/pure/agents/agents.ts";
import type { Agent } from "../../../../src/pure/pipeline/index.ts";
import { eventLog, lineSplitter } from "../../../../src/pure/pipeline/index.ts";
import { views } from "../../../../src/pure/views/views.ts";
import { ROOT } from "../../../support/harness.ts";
import { cleanUp, command, LONG_MS, type Place, place } from "../../../support/place.ts";

afterAll(cleanUp);

const RUN = "agent-1";
const MODEL = "model-1";
const usage = { inputTokens: 10, outputTokens: 2 };

/** The events of an agent that calls one tool. */
function conversation(said = "Done."): readonly HarnessEvent[] {
  return [
    { type: "harness_start", runId: RUN, parentId: "call-7", depth: 0, agent: "native", model: "local/m" },
    { type: "user", runId: RUN, id: `${RUN}/user-0`, content: "Go." },
    { type: "harness_start", runId: MODEL, parentId: RUN, depth: 1, agent: "provider", model: "local/m" },
    { type: "tool_call", runId: MODEL, id: "call-1", name: "read", input: { path: "a.txt" } },
    { type: "usage", runId: MODEL, ...usage },
    { type: "harness_end", runId: MODEL, reason: "final", iterations: 1, totalUsage: usage },
    { type: "tool_result", runId: RUN, id: "call-1", name: "read", output: { context: "ä\u2028\ud83d", result: [1] } },
    { type: "text", runId: RUN, id: "text-1", content: said },
    { type: "harness_end", runId: RUN, reason: "final", iterations: 1, totalUsage: usage },
  ];
}

async function* from(events: readonly HarnessEvent[], end?: () => unknown): AsyncGenerator<HarnessEvent> {
  yield* events;
  await end?.();
}

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of source) found.push(each);
  return found;
}

async function flawsOf(where: Place, id: string, agent: Agent = agents.native) {
  const recording = where.recordings().find((each) => each.id === id);
  if (recording === undefined) throw new Error(`There is no run ${id}.`);
  return verifyRun(recording.manifest, runPaths(recording.directory), sessionPaths(where.sessions, id).stream, agent);
}

function recorded(where: Place, source: AsyncIterable<HarnessEvent>, options: RecordOptions = {}) {
  return record(source, { dataDirectory: where.root, environment: {}, ...options });
}

describe("record", () => {
  test("the events come unchanged, and become an ordinary run", { timeout: LONG_MS }, async () => {
    const where = place();
    const events = conversation();
    const options = { prompt: "Go.", name: "mine", tags: ["a"], model: "local/m", runId: RUN, parentId: "call-7" };
    const live = recorded(where, from(events), options);
    expect(existsSync(live.directory)).toBe(false);
    const given: HarnessEvent[] = [];
    for await (const event of live) {
      given.push(event);
      expect(readFileSync(join(live.directory, "raw.jsonl"), "utf8")).toContain(JSON.stringify(event)); // it was written before
    }
    expect(given.every((event, i) => event === events[i])).toBe(true);
    expect(given).toHaveLength(events.length);
    expect(await live.sealed).toMatchObject({ status: "completed", toolCalls: 1, exitCode: 0 });
    expect(JSON.stringify(await all(derive(live.directory, { view: "conversation" })))).toBe(JSON.stringify(events));
    expect(await flawsOf(where, live.id)).toEqual([]);
    const { manifest } = where.recording();
    expect(manifest).toMatchObject({ id: live.id, name: "mine", tags: ["a"], agent: "native", model: "local/m" });
    expect(manifest.origin).toEqual({ id: "in-process", about: { runId: RUN, parentId: "call-7" } });
    expect(manifest.command).toBeUndefined();

    const listed = await where.harness(["sessions", "list", "--json"]);
    expect(JSON.parse(listed.stdout)).toMatchObject({ id: live.id, status: "completed" });
    expect((await where.harness(["sessions", "verify", live.id])).code).toBe(0);
    expect((await where.harness(["sessions", "show", live.id])).stdout).toContain("in-process");
    const derived = await where.harness(["derive", live.directory, "--view", "conversation"]);
    expect(derived.stdout.trim().split("\n")).toEqual(events.map((event) => JSON.stringify(event)));
  });

  test("a reader that leaves early cancels it, and the source is closed", async () => {
    const where = place();
    let isClosed = false;
    async function* source() {
      try {
        yield* conversation();
      } finally {
        isClosed = true;
      }
    }
    const live = recorded(where, source());
    for await (const event of live) if (event.type === "tool_call") break;
    expect(isClosed).toBe(true);
    expect(where.recording().sealed).toMatchObject({ status: "canceled", stopped: "cancel" });
    expect(await flawsOf(where, live.id)).toEqual([]);
  });

  test("a reader that leaves after the result has not canceled it", async () => {
    const where = place();
    for await (const event of recorded(
      where,
      from(conversation(), () => new Promise(() => {})),
    ))
      if (event.type === "harness_end" && event.runId === RUN) break;
    expect(where.recording().sealed).toMatchObject({ status: "completed", exitCode: 0 });
  });

  test("a source that throws has failed, and its error is rethrown", async () => {
    const where = place();
    const error = new Error("It broke.");
    const source = from(conversation().slice(0, 4), () => Promise.reject(error));
    const live = recorded(where, source);
    await expect(all(live)).rejects.toBe(error);
    expect(await live.sealed).toMatchObject({ status: "failed", exitCode: 1 });
    expect(JSON.stringify(await all(derive(live.directory, { view: "log" })))).toContain("It broke.");
    expect(await flawsOf(where, live.id)).toEqual([]);
  });

  test("a source that ends without a result has failed", async () => {
    const where = place();
    await all(recorded(where, from(conversation().slice(0, -1))));
    expect(where.recording().sealed).toMatchObject({ status: "failed", reason: "result-missing" });
  });

  test("the output of a model alone has its own end", async () => {
    const where = place();
    await all(
      recorded(
        where,
        from([
          { type: "harness_start", runId: MODEL, depth: 0, agent: "provider" },
          { type: "text", runId: MODEL, id: "t", content: "Hello." },
          { type: "harness_end", runId: MODEL, reason: "final", iterations: 1, totalUsage: usage },
        ]),
      ),
    );
    expect(where.recording().sealed).toMatchObject({ status: "completed" });
  });

  test("a signal cancels it, even if the source never yields again", async () => {
    const where = place();
    const stop = new AbortController();
    const live = recorded(
      where,
      from(conversation().slice(0, 2), () => new Promise(() => {})),
      { signal: stop.signal },
    );
    const reading = all(live);
    setTimeout(() => stop.abort(new Error("Enough.")), 50);
    await expect(reading).rejects.toThrow("Enough.");
    expect(await live.sealed).toMatchObject({ status: "canceled" });
  });

  test("within the grace, a source that handles the signal itself still decides how the recording ends", async () => {
    const where = place();
    const stop = new AbortController();
    const source = from(conversation().slice(0, 2), () => new Promise((resolve) => setTimeout(resolve, 200)));
    const live = recorded(where, source, { signal: stop.signal, graceMs: 10_000 });
    setTimeout(() => stop.abort(), 50);
    expect(await all(live)).toHaveLength(2);
    expect(await live.sealed).toMatchObject({ status: "canceled" });
  });

  test("a signal that was aborted before cancels it immediately", async () => {
    const live = recorded(place(), from(conversation()), { signal: AbortSignal.abort(new Error("Enough.")) });
    await expect(all(live)).rejects.toThrow("Enough.");
    expect(await live.sealed).toMatchObject({ status: "canceled" });
  });

  test("with a signal, a source may answer without a promise", async () => {
    const events = [...conversation()];
    const next = () => ({ done: events.length === 0, value: events.shift() });
    const source = { [Symbol.asyncIterator]: () => ({ next }) } as unknown as AsyncIterable<HarnessEvent>;
    const live = recorded(place(), source, { signal: new AbortController().signal });
    expect(await all(live)).toHaveLength(9);
    expect(await live.sealed).toMatchObject({ status: "completed" });
  });

  test("an event that is not JSON is passed on, and a warning says it is missing", async () => {
    const where = place();
    const [start, ...rest] = conversation();
    const odd: HarnessEvent = { type: "tool_call", runId: RUN, id: "big", name: "count", input: 1n };
    const events = [start as HarnessEvent, odd, ...rest];
    const live = recorded(where, from(events));
    expect(await all(live)).toEqual(events);
    expect(JSON.stringify(await all(derive(live.directory, { view: "log" })))).toContain("unwritable");
    expect(await live.sealed).toMatchObject({ status: "completed" });
  });

  test("secrets are masked in the recording, but not in the events passed on", async () => {
    const where = place();
    const secret = "canary-0123456789";
    const live = recorded(where, from(conversation(`The key is ${secret}.`)), {
      environment: { MY_API_KEY: secret },
      prompt: `Use ${secret}.`,
      name: secret,
    });
    expect(JSON.stringify(await all(live))).toContain(secret);
    expect((await live.sealed).masked).toBe(2);
    const { raw, manifest, stream, activity } = where.recording();
    expect(JSON.stringify([raw, manifest, stream, activity, readFileSync(join(live.directory, "prompt.txt"), "utf8")])).not.toContain(
      secret,
    );
    expect(await flawsOf(where, live.id)).toEqual([]);
  });

  test("many in parallel", async () => {
    const where = place();
    const answers = Array.from({ length: 8 }, (_, i) => `Done ${i}.`);
    const lives = answers.map((said) => recorded(where, from(conversation(said))));
    await Promise.all(lives.map((live) => all(live)));
    for (const [i, { id, directory }] of lives.entries()) {
      expect(JSON.stringify(await all(derive(directory, { view: "conversation" })))).toBe(JSON.stringify(conversation(answers[i])));
      expect(await flawsOf(where, id)).toEqual([]);
    }
  });

  test("read twice, or without a writable directory: one sentence", async () => {
    const where = place();
    const live = recorded(where, from(conversation()));
    await all(live);
    await expect(all(live)).rejects.toThrow("only once");
    const nowhere = record(from(conversation()), { dataDirectory: "/dev/null/x" });
    await expect(all(nowhere)).rejects.toThrow("/dev/null");
    await expect(nowhere.sealed).rejects.toThrow("/dev/null");
  });

  test("killed while recording: the next open completes and seals it", { timeout: LONG_MS }, async () => {
    const where = place();
    const events = conversation().slice(0, 5);
    const program = `
      import { record } from ${JSON.stringify(join(ROOT, "dist/index.js"))};
      async function* source() { yield* ${JSON.stringify(events)}; console.log("ready"); setInterval(() => {}, 1000); await new Promise(() => {}); }
      for await (const _ of record(source()));`;
    const node = ["--input-type=module", "-e", program];
    const { child, done, printed } = where.spawn(process.execPath, node);
    await printed("ready");
    expect((await openRun(where.recording().directory)).owner?.pid).toBe(child.pid);
    child.kill("SIGKILL");
    await done;
    const { directory, id } = where.recording();
    const { manifest, notice } = await openRun(directory);
    expect(notice).toContain("now been completed and sealed");
    expect(manifest.sealed).toMatchObject({ status: "crashed", reason: "recorder-died" });
    expect(await flawsOf(where, id)).toEqual([]);
    const derived = await all(derive(directory, { view: "conversation" }));
    expect(JSON.stringify(derived.slice(0, events.length))).toBe(JSON.stringify(events));
  });
});

describe("openRecording", () => {
  const folder = join(ROOT, "fixtures/claude/err-401");
  const raw = readFileSync(join(folder, "raw.jsonl"));
  const stderr = Buffer.from("one\n\ntwo without an end");
  const startedAt = Date.UTC(2020, 1, 2);

  test.each([1, 7, 1000, Number.POSITIVE_INFINITY])(
    "pieces of %d bytes, with their times, give the same bytes and their log",
    async (size) => {
      const where = place();
      const options = { agent: "claude", origin: { id: "a file", about: { path: "x" } }, startedAt, cwd: "/w", prompt: "Go." };
      const recording = await openRecording({ ...options, dataDirectory: where.root, environment: {} });
      const expected: { at: number }[] = [];
      const view = views.log.open();
      const log = eventLog(agents.claude, infoOf(where.recording().manifest, "Go."), (event) => void expected.push(...view.push(event)));
      let at = startedAt;
      const step = Math.min(size, raw.length);
      for (const [stream, bytes] of [
        ["stdout", raw],
        ["stderr", stderr],
      ] as const) {
        const lines = lineSplitter(decode);
        for (let start = 0; start < bytes.length; start += step) {
          const piece = bytes.subarray(start, start + step);
          at += 3;
          recording[stream](piece, at);
          for (const line of lines.push(piece)) log.push({ type: "line", at, stream, line });
        }
        if (stream === "stderr") for (const line of lines.end()) log.push({ type: "line", at: at + 5, stream, line });
      }
      const seal = await recording.end({ at: at + 5, exitCode: 1 });
      log.push({ type: "exit", at: at + 5, exitCode: 1, signal: null, durationMs: at + 5 - startedAt });
      log.end();
      expect(readFileSync(join(recording.directory, "raw.jsonl")).equals(raw)).toBe(true);
      expect(readFileSync(join(recording.directory, "stderr.log")).equals(stderr)).toBe(true);
      expect(await all(derive(recording.directory, { view: "log" }))).toEqual(JSON.parse(JSON.stringify(expected)));
      expect(seal).toMatchObject({ at: at + 5, exitCode: 1, durationMs: at + 5 - startedAt });
      expect(await flawsOf(where, recording.id, agents.claude)).toEqual([]);
      expect(recording.id.startsWith("20200202-000000-")).toBe(true);
    },
  );

  test("facts have their place and time; time does not go back; nothing comes after the end", async () => {
    const where = place();
    const origin = { id: "test" };
    const recording = await openRecording({ agent: "native", origin, startedAt, dataDirectory: where.root, environment: {} });
    recording.fact({ type: "warning", code: "odd", message: "Look." }, startedAt + 10);
    recording.stderr(Buffer.from("later\n"), startedAt + 5);
    expect(() => recording.stdout(Buffer.from("x"), 0.5)).toThrow("is not a time");
    await recording.end({ at: startedAt + 20, exitCode: null, stopped: "timeout" });
    const records = readFileSync(join(recording.directory, "records.jsonl"), "utf8").trim().split("\n");
    expect(records.map((line) => JSON.parse(line)).map(({ type, at }) => [type, at - startedAt])).toEqual([
      ["fact", 10],
      ["line", 10],
      ["exit", 20],
    ]);
    expect(where.recording().sealed).toMatchObject({ status: "timed_out" });
    expect(() => recording.stdout(Buffer.from("x"), startedAt + 30)).toThrow("has ended");
    await expect(openRecording({ agent: "native", origin, id: "../x", dataDirectory: where.root })).rejects.toThrow("cannot be the id");
  });

  test("input that could not be read back is rejected, and not recorded", async () => {
    const where = place();
    const recording = await openRecording({
      agent: "native",
      origin: { id: "test" },
      startedAt,
      dataDirectory: where.root,
      environment: {},
    });
    expect(() => recording.fact({ type: "run-end" } as never, startedAt)).toThrow("This is not a fact");
    await expect(recording.end({ at: startedAt, exitCode: "0" as never })).rejects.toThrow("This is not an end");
    await recording.end({ at: startedAt + 2, exitCode: 0, durationMs: 1.6 });
    expect(where.recording().sealed).toMatchObject({ records: 1, durationMs: 2 });
    expect(await flawsOf(where, recording.id)).toEqual([]);
  });

  test("a recording that is read and recorded again gives the same records, to the byte", { timeout: LONG_MS }, async () => {
    const [where, there] = [place(), place()];
    await where.run(command("interleaves.mjs", "300"));
    const { directory, manifest } = where.recording();
    const origin = { id: "a recording" };
    const again = await openRecording({
      agent: "generic",
      origin,
      startedAt: manifest.startedAt,
      dataDirectory: there.root,
      environment: {},
    });
    const reader = runReader(runPaths(directory), decode, { seal: manifest.sealed });
    for (const piece of reader.more())
      if (piece.type === "bytes") again[piece.stream](piece.bytes, piece.at);
      else if (piece.type === "exit") await again.end(piece);
    reader.close();
    for (const name of ["raw.jsonl", "stderr.log", "records.jsonl"])
      expect(readFileSync(join(again.directory, name)).equals(readFileSync(join(directory, name))), name).toBe(true);
  });

  test("its sinks get what a reader of the recording gets", async () => {
    const where = place();
    const got: object[] = [];
    const live = recorded(where, from(conversation()), { sinks: [{ id: "list", write: (records) => void got.push(...records) }] });
    await all(live);
    expect(await live.delivered).toEqual([{ id: "list", records: got.length }]);
    expect(JSON.stringify(got)).toBe(JSON.stringify(await all(derive(live.directory, { view: "log" }))));
  });

  test("deleted files are restored, and the recording says so", async () => {
    const where = place();
    const recording = await openRecording({ agent: "native", origin: { id: "test" }, dataDirectory: where.root, environment: {} });
    recording.stderr(Buffer.from("before\n"), Date.now());
    rmSync(join(recording.directory, "stderr.log"));
    await expect(recording.end({ at: Date.now(), exitCode: 0 })).rejects.toThrow("were deleted");
    expect(where.recording().sealed).toMatchObject({ status: "failed" });
    expect(where.recording().stderr).toBe("before\n");
  });
});
