import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { run, type Sink, type SinkReport } from "../../../../src/index.ts";

const folder = mkdtempSync(join(tmpdir(), "harness-sink-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LINES = 40;

/** A run with these sinks: what its reader got, the reports of the sinks, and the recording's bytes. */
async function runWith(sinks: readonly Sink[], view: "log" | "stream" = "log", lines = LINES) {
  let directory = "";
  let reports: readonly SinkReport[] = [];
  const shown: object[] = [];
  for await (const record of run({
    agent: "generic",
    command: `seq -f ${"x".repeat(200)}%g ${lines}`,
    prompt: "go",
    dataDirectory: folder,
    view,
    sinks,
    onStart: (started) => {
      directory = started.directory;
    },
    onDelivered: (all) => {
      reports = all;
    },
  }))
    shown.push(record);
  return { shown, reports, directory, raw: readFileSync(join(directory, "raw.jsonl"), "utf8") };
}

describe("sinks", () => {
  test("the type of its records follows from its view", async () => {
    const deltas: string[] = [];
    const sink: Sink<"stream"> = {
      id: "deltas",
      view: "stream",
      write(records) {
        for (const record of records) if (record.type === "TextDelta") deltas.push(record.text);
      },
    };
    await runWith([sink], "log", 1);
    expect(deltas).toHaveLength(1);
  });

  test("a sink gets the records of its view, in order, and then the end", async () => {
    const got: object[] = [];
    let ended = 0;
    const sink: Sink = {
      id: "list",
      view: "stream",
      write: (records) => void got.push(...records),
      end: () => {
        ended += 1;
      },
    };
    const { shown, reports } = await runWith([sink], "stream");
    expect(got).toEqual(shown);
    expect(reports).toEqual([{ id: "list", records: got.length }]);
    expect(ended).toBe(1);
  });

  test("one that throws, rejects or never answers does not affect the recording, its reader or other sinks", {
    timeout: 60_000,
  }, async () => {
    const got: object[] = [];
    let signal: AbortSignal | undefined;
    const sinks: readonly Sink[] = [
      {
        id: "throws",
        write: () => {
          throw new Error("no room");
        },
      },
      { id: "rejects", write: () => Promise.reject(new Error("no network")) },
      {
        id: "silent",
        write: (_, { signal: given }) => {
          signal = given;
          return new Promise(() => {});
        },
      },
      { id: "well", write: (records) => void got.push(...records) },
    ];
    const { shown, reports, raw } = await runWith(sinks);
    expect(raw.split("\n").length).toBe(LINES + 1);
    expect(shown.at(-1)).toMatchObject({ type: "run-end", status: "completed" });
    expect(got).toEqual(shown);
    expect(reports).toEqual([
      { id: "throws", records: 0, problem: "no room" },
      { id: "rejects", records: 0, problem: "no network" },
      { id: "silent", records: 0, problem: "it accepted nothing for 5 s after the run was over" },
      { id: "well", records: shown.length },
    ]);
    expect(signal?.aborted).toBe(true);
  });

  test("a slow one is served from disk, and gets everything", { timeout: 60_000 }, async () => {
    const got: object[] = [];
    const sink: Sink = {
      id: "slow",
      async write(records) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        got.push(...records);
      },
    };
    const { shown, reports } = await runWith([sink], "log", 40_000); // more than memory keeps
    expect(got.length).toBe(shown.length);
    expect(got.at(-1)).toEqual(shown.at(-1));
    expect(reports).toEqual([{ id: "slow", records: shown.length }]);
  });

  test("if the run fails, its sinks still get its records, and the end", async () => {
    const got: object[] = [];
    let ended = 0;
    const sink: Sink = {
      id: "list",
      write: (records) => void got.push(...records),
      end: () => {
        ended += 1;
      },
    };
    let reports: readonly SinkReport[] = [];
    const script = join(folder, "needs-an-interpreter");
    writeFileSync(script, "#!/nope/nothing\n", { mode: 0o755 });
    const events = run({
      agent: "generic",
      command: script,
      prompt: "go",
      dataDirectory: folder,
      sinks: [sink],
      onDelivered: (all) => {
        reports = all;
      },
    });
    await expect(async () => {
      for await (const _ of events);
    }).rejects.toThrow();
    expect(got.at(-1)).toMatchObject({ type: "run-end" });
    expect(reports).toEqual([{ id: "list", records: got.length }]);
    expect(ended).toBe(1);
  });

  test("an unknown view is rejected before anything is started", async () => {
    const before = readdirSync(join(folder, "runs"));
    await expect(runWith([{ id: "x", view: "nope" as "log", write: () => {} }])).rejects.toThrow(/nope/);
    expect(readdirSync(join(folder, "runs"))).toEqual(before);
  });
});
