import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runPaths, sessionPaths } from "../../../../src/host/recording/format/run-paths.ts";
import { openRun } from "../../../../src/host/recording/write/open-run.ts";
import { verifyRun } from "../../../../src/host/recording/write/verify-run.ts";
import { HarnessError, openRecording, type RecordingOptions, record, run, type Sink, type View } from "../../../../src/index.ts";
import { findAgent } from "../../../../src/pure/agents/index.ts";
import { ROOT } from "../../../support/harness.ts";
import { cleanUp, type Place, place } from "../../../support/place.ts";

/** What callers hand in, and what they are handed out, can neither break a recording nor change it. */

afterAll(cleanUp);

const startedAt = Date.UTC(2020, 1, 2);
const CALL = { agent: "generic", origin: { id: "test" }, environment: {}, startedAt };

function open(where: Place, options: object = {}) {
  return openRecording({ ...CALL, dataDirectory: where.root, ...options } as RecordingOptions);
}

async function flawsOf(where: Place) {
  const { manifest, directory, id } = where.recording();
  return verifyRun(manifest, runPaths(directory), sessionPaths(where.sessions, id).stream, findAgent(manifest.agent));
}

async function errorOf(promise: Promise<unknown>): Promise<{ readonly code?: string; readonly option?: string; readonly message: string }> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(HarnessError);
  return error as HarnessError & { readonly option: string };
}

function nothingIn({ root }: Place): boolean {
  return !existsSync(join(root, "runs")) || readdirSync(join(root, "runs")).length === 0;
}

/** Overwrites every text that it can reach. */
function vandalize(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, field] of Object.entries(value))
    if (typeof field === "string" && name !== "type") Object.assign(value, { [name]: "[changed]" });
    else vandalize(field);
}

describe("a fact of 256 KiB or more", () => {
  test.each([262_144, 3_000_000])("of %d characters can be read again", async (length) => {
    const where = place();
    const recording = await open(where);
    recording.fact({ type: "warning", code: "long", message: "ä".repeat(length) }, startedAt);
    recording.stdout(Buffer.from("after\n"), startedAt);
    await recording.end({ at: startedAt, exitCode: 0 });
    expect(await flawsOf(where)).toEqual([]);
  });

  test("survives a recorder that dies", async () => {
    const where = place();
    const recording = await open(where);
    recording.fact({ type: "warning", code: "long", message: "a".repeat(300_000) }, startedAt);
    await recording.end({ at: startedAt, exitCode: 0 });
    const { directory, manifest } = where.recording();
    const { sealed: _, digest: __, ...unsealed } = manifest;
    writeFileSync(join(directory, "run.json"), JSON.stringify(unsealed));
    await openRun(directory);
    expect(readdirSync(directory).filter((name) => name.includes("torn"))).toEqual([]);
    expect(await flawsOf(where)).toEqual([]);
  });

  test("that a thrown error becomes is clipped, and one that no reader would take is rejected", async () => {
    const where = place();
    async function* source() {
      yield { type: "harness_start", runId: "m", depth: 0 } as const;
      throw new Error("x".repeat(3_000_000));
    }
    const live = record(source(), { dataDirectory: where.root, environment: {} });
    await expect(async () => {
      for await (const _ of live);
    }).rejects.toThrow("xxx");
    expect(await live.sealed).toMatchObject({ status: "failed" });
    expect(await flawsOf(where)).toEqual([]);

    const recording = await open(place());
    const body = { type: "warning", code: "long", message: "x".repeat(17_000_000) } as const;
    expect(() => recording.fact(body, startedAt)).toThrow("too long");
    await recording.end({ at: startedAt, exitCode: 0 });
  });
});

describe("records handed to readers and sinks", () => {
  const agents = ["claude", "codex", "gemini", "opencode"];
  const fixtureOf = (agent: string) => {
    const folder = join(ROOT, "fixtures", agent);
    const sizes = readdirSync(folder).flatMap((name) => {
      const path = join(folder, name, "raw.jsonl");
      return existsSync(path) ? [{ path, size: readFileSync(path).length }] : [];
    });
    return readFileSync(sizes.toSorted((a, b) => b.size - a.size)[0]?.path ?? "");
  };
  const ownView: View = {
    id: "own",
    title: "Own",
    open: () => ({
      push(event) {
        vandalize(event);
        return [event];
      },
      end: () => [],
    }),
  } as View;

  test.each(agents)("cannot change the sealed recording: a sink that edits in place, %s", { timeout: 60_000 }, async (agent) => {
    for (const view of ["log", "conversation", "stream", ownView] as const) {
      const where = place();
      const seen: string[] = [];
      const sinks: readonly Sink[] = [
        { id: "vandal", view, write: (records) => records.forEach(vandalize) },
        { id: "reader", write: (records) => void seen.push(JSON.stringify(records)) },
      ];
      const recording = await open(where, { agent, sinks });
      for (const line of fixtureOf(agent)
        .toString("latin1")
        .split(/(?<=\n)/)) {
        recording.stdout(Buffer.from(line, "latin1"), startedAt);
        await new Promise(setImmediate); // the sinks have their turn
      }
      await recording.end({ at: startedAt, exitCode: 0 });
      await recording.delivered;
      expect(seen.join("").includes("[changed]")).toBe(false);
      expect(await flawsOf(where)).toEqual([]);
    }
  });

  test("cannot change the sealed recording: the reader of a run that redacts in place", async () => {
    const where = place();
    const script = join(where.root, "agent");
    mkdirSync(where.root, { recursive: true });
    writeFileSync(join(where.root, "raw"), fixtureOf("claude"));
    writeFileSync(script, `#!/bin/sh\nhead -n 20 ${where.root}/raw; sleep 0.5; tail -n +21 ${where.root}/raw\n`, { mode: 0o755 });
    for await (const record of run({ agent: "claude", binary: script, prompt: "Go.", view: "log", dataDirectory: where.root }))
      vandalize(record);
    expect(await flawsOf(where)).toEqual([]);
  });

  test("a fact stays what it was, whatever its caller does with it afterwards", async () => {
    const where = place();
    const recording = await open(where);
    const body = { type: "warning" as const, code: "a", message: "b" };
    recording.fact(body, startedAt);
    body.message = "[changed]";
    await recording.end({ at: startedAt, exitCode: 0 });
    expect(await flawsOf(where)).toEqual([]);
  });
});

describe("bytes", () => {
  const text = "one\ntwo\n";
  const { buffer } = new Uint8Array(Buffer.from(text));
  test.each([
    ["ArrayBuffer", buffer],
    ["SharedArrayBuffer", Object.assign(new SharedArrayBuffer(8), {})],
    ["DataView", new DataView(buffer)],
    ["Uint16Array", new Uint16Array(buffer)],
    ["Buffer", Buffer.from(text)],
  ])("of a %s are all recorded", async (name, bytes) => {
    if (name === "SharedArrayBuffer") new Uint8Array(bytes as SharedArrayBuffer).set(Buffer.from(text));
    const where = place();
    const recording = await open(where);
    recording.stdout(bytes, startedAt);
    await recording.end({ at: startedAt, exitCode: 0 });
    expect(where.recording().raw).toBe(text);
    expect(await flawsOf(where)).toEqual([]);
  });

  test.each([5, "text", [1, 2], null, undefined, {}, { length: 3 }])("%j: rejected, and the recording continues", async (bytes) => {
    const where = place();
    const recording = await open(where);
    expect(() => recording.stdout(bytes as never, startedAt)).toThrow("`bytes` must be");
    recording.stdout(Buffer.from(text), startedAt);
    await recording.end({ at: startedAt, exitCode: 0 });
    expect(where.recording().raw).toBe(text);
  });
});

describe("what cannot become a readable run is rejected before anything is written", () => {
  test.each([
    ["agent", { agent: 5 }],
    ["agent", { agent: undefined }],
    ["origin", { origin: undefined }],
    ["origin", { origin: "x" }],
    ["origin", { origin: { id: 5 } }],
    ["origin", { origin: { id: "a", about: new Date() } }],
    ["prompt", { prompt: 5 }],
    ["name", { name: {} }],
    ["tags", { tags: [5] }],
    ["tags", { tags: "a" }],
    ["model", { model: 5 }],
    ["permissions", { permissions: "all" }],
    ["cwd", { cwd: 5 }],
    ["secrets", { secrets: "KEY" }],
    ["dataDirectory", { dataDirectory: 5 }],
    ["startedAt", { startedAt: Number.NaN }],
    ["startedAt", { startedAt: "now" }],
    ["startedAt", { startedAt: Date.UTC(10_000, 0) }],
    ["sinks", { sinks: {} }],
    ["sinks", { sinks: [null] }],
    ["sinks", { sinks: [{ id: "a" }] }],
    ["sinks", { sinks: [{ id: "a", view: null, write() {} }] }],
    ["sinks", { sinks: [{ id: "a", view: {}, write() {} }] }],
  ])("%s: %j", async (option, options) => {
    const where = place();
    expect(await errorOf(open(where, options))).toMatchObject({ code: "usage", option });
    expect(nothingIn(where)).toBe(true);
  });

  test("a description that is not JSON", async () => {
    const where = place();
    expect((await errorOf(open(where, { origin: { id: "a", about: { n: 1n } } }))).message).toContain("cannot be written as JSON");
    expect(nothingIn(where)).toBe(true);
  });

  test("a sink whose view cannot be opened", async () => {
    const where = place();
    const view = { id: "x", title: "x", open: () => { throw new Error("no lens"); } }; // biome-ignore format: short
    const sinks = [{ id: "a", view: view as unknown as View, write() {} }];
    await expect(open(where, { sinks })).rejects.toThrow("no lens");
    const live = run({ agent: "generic", command: "echo", prompt: "Go.", dataDirectory: where.root, sinks });
    await expect(async () => { for await (const _ of live); }).rejects.toThrow("no lens"); // biome-ignore format: short
    expect(nothingIn(where)).toBe(true);
  });

  test.each([
    ["name", { name: {} }],
    ["tags", { tags: [5] }],
    ["model", { model: 5 }],
    ["evaluated", { evaluated: { id: 5 } }],
  ])("of a run of a process: %s", async (option, options) => {
    const where = place();
    const live = run({ agent: "generic", command: "echo", prompt: "Go.", dataDirectory: where.root, ...(options as object) });
    const read = async () => { for await (const _ of live); }; // biome-ignore format: short
    expect(await errorOf(read())).toMatchObject({ code: "usage", option });
    expect(nothingIn(where)).toBe(true);
  });
});

describe("the id of a recording", () => {
  test.each(["last", "lock", "zzz", "foo", "", "20200202-000000", "20200202-000000-", "20200202-000001-a", "99991231-235959-a", "../x", 5])(
    "%j is not legal",
    async (id) => {
      const where = place();
      const { message, option } = await errorOf(open(where, { id }));
      expect(message).toMatch(
        /cannot be the id of this run\. An id is the start time in UTC as YYYYMMDD-HHMMSS, then - and up to 100 letters/,
      );
      expect(option).toBe("id");
      expect(nothingIn(where)).toBe(true);
    },
  );

  test("may be chosen after the time it began", async () => {
    const where = place();
    const recording = await open(where, { id: "20200202-000000-import_7" });
    await recording.end({ at: startedAt, exitCode: 0 });
    expect(where.recording().id).toBe("20200202-000000-import_7");
  });

  test.each(["runs/%s/keep", "runs/%s", "sessions/%s.ndjson", "sessions/%s.meta.json"])(
    "never deletes or overwrites what exists: %s",
    async (pattern) => {
      const where = place();
      const id = "20200202-000000-foo";
      const [path, folder] = [join(where.root, pattern.replace("%s", id)), join(where.root, pattern.replace("%s", id), "..")];
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(path, "precious");
      expect(await errorOf(open(where, { id }))).toMatchObject({
        code: "usage",
        option: "id",
        message: expect.stringContaining("already exists"),
      });
      expect(readFileSync(path, "utf8")).toBe("precious");
    },
  );

  test("taken three times at the same moment is given once", async () => {
    const where = place();
    const id = "20200202-000000-same";
    const opened = await Promise.allSettled([1, 2, 3].map(() => open(where, { id })));
    const [first, ...others] = opened.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    expect(others).toEqual([]);
    first?.stdout(Buffer.from("hi\n"), startedAt);
    await first?.end({ at: startedAt, exitCode: 0 });
    expect(await flawsOf(where)).toEqual([]);
    expect(readdirSync(join(where.root, "runs"))).toEqual([id]);
  });
});

test("a secret that is used as the model is masked in run.json", async () => {
  const where = place();
  const secret = "canary-0123456789";
  const recording = await open(where, {
    environment: { MY_API_KEY: secret },
    model: secret,
    tags: [`a ${secret}`],
    origin: { id: "test", about: { [secret]: { deep: [secret] } } },
  });
  await recording.end({ at: startedAt, exitCode: 0 });
  expect(readFileSync(join(recording.directory, "run.json"), "utf8")).not.toContain(secret);
  expect(await flawsOf(where)).toEqual([]);
});

test("a sink that was given up does not hear the end", { timeout: 20_000 }, async () => {
  let ended = 0;
  const sink: Sink = {
    id: "stuck",
    write: (_, { signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
    end: () => void ended++,
  };
  const recording = await open(place(), { sinks: [sink] });
  recording.stdout(Buffer.from("a\n"), startedAt);
  await recording.end({ at: startedAt, exitCode: 0 });
  expect(await recording.delivered).toMatchObject([{ id: "stuck", records: 0, problem: expect.any(String) }]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(ended).toBe(0);
});

test("an error about the data directory names the option that was given", async () => {
  const error = await errorOf(openRecording({ ...CALL, dataDirectory: "/proc/nope" }));
  expect(error).toMatchObject({ code: "log", option: "dataDirectory", message: expect.stringContaining("/proc/nope") });
  expect(error.message).not.toContain("XDG_DATA_HOME");
});
