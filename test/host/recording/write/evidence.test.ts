import { closeSync, existsSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { cleanUp, command, eventually, expectNoOrphan, expectWhole, isAlive, LONG_MS, place } from "../../../support/place.ts";

afterAll(cleanUp);

/** For agents that reach processes outside, or leave some: walls prevent both. */
const UNWALLED = ["--isolate", "none"];

describe.concurrent("case 46: an agent destroys its own recording", () => {
  test("it truncates its stdout: the loss is reported, and the run is not a success", { timeout: LONG_MS }, async () => {
    const { runs, run, recording } = place();
    const done = await run(command("truncates-its-output.mjs", runs));
    expect(done.code).toBe(1);
    const { sealed, stream, raw } = recording();
    expect(sealed).toMatchObject({ status: "failed", reason: "evidence-lost", exitCode: 0 });
    expect(sealed?.truncated).toHaveLength(1);
    expect(raw).toBe("after\nthe end\n");
    expect(stream.filter(({ code }) => code === "raw-truncated")).toHaveLength(1);
    expectWhole(stream);
  });

  test("output written again before anyone saw the truncation is recorded, too", { timeout: LONG_MS }, async () => {
    const { runs, run, recording } = place();
    await run(command("truncates-its-output.mjs", runs));
    const texts = recording().stream.flatMap(({ type, text }) => (type === "Message" ? [text] : []));
    expect(texts).toEqual(["Go.", "before one\n", "before two\n", "before three\n", "after\n", "the end\n"]);
  });

  test("it truncates its stdout and prints more than before: that is noticed, too", { timeout: LONG_MS }, async () => {
    const { runs, run, recording } = place();
    expect((await run([...command("rewrites-its-output.mjs", runs), ...UNWALLED])).code).toBe(1);
    const { sealed, stream, raw } = recording();
    expect(sealed).toMatchObject({ status: "failed", reason: "evidence-lost" });
    expect(raw).toBe("after, a line that is longer than all of what was there before\nthe end\n");
    expect(stream.filter(({ code }) => code !== undefined).map(({ code }) => code)).toEqual(["raw-truncated"]);
    const texts = stream.flatMap(({ type, text }) => (type === "Message" ? [text] : []));
    expect(texts.slice(-2)).toEqual(["after, a line that is longer than all of what was there before\n", "the end\n"]);
  });

  test.each([
    ["its run, while it runs", (runs: string) => runs, "30"],
    ["its run, as its last action", (runs: string) => runs, "0"],
    ["everything that was ever recorded", (runs: string) => dirname(runs), "30"],
  ])("it deletes %s: it is stopped, its output is restored, and the run is not a success", { timeout: LONG_MS }, async (_, what, stay) => {
    const { runs, run, recording, harness } = place();
    const done = await run(command("deletes-its-run", what(runs), stay));
    expect(done.code).toBe(74);
    expect(done.ms).toBeLessThan(25_000);
    expect(done.stderr).toMatch(/^harness: Files of the run were deleted from [^\n]+\n$/);
    const { sealed, raw, stream } = recording();
    expect(raw).toBe("before\nafter\n");
    expect(sealed?.status).toBe("failed");
    expect(stream.filter(({ code }) => code === "evidence-lost")).toHaveLength(1);
    expectWhole(stream);
    expectWhole(
      done.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    );
    await expectNoOrphan(recording());
    expect((await harness(["sessions", "verify", "last"])).code).toBe(0);
  });

  test.each(["records.jsonl", "run.json", "events.jsonl", "stderr.log", "prompt.txt"])(
    "it deletes only %s",
    { timeout: LONG_MS },
    async (name) => {
      const { runs, run, recording } = place();
      const done = await run(command("deletes-its-run", `${runs}/*/${name}`, "30"));
      expect(done.code).toBe(74);
      const { sealed, raw, stream } = recording();
      expect(raw).toBe("before\nafter\n");
      expect(sealed?.status).toBe("failed");
      expect(stream.filter(({ code }) => code === "evidence-lost")).toHaveLength(1);
      expectWhole(stream);
      await expectNoOrphan(recording());
    },
  );

  test("a process that cannot be found writes forever: the run ends, and what is sealed stays sealed", {
    timeout: 2 * LONG_MS,
  }, async () => {
    const { root, run, recording, harness } = place();
    const stop = join(dirname(root), "stop");
    try {
      const done = await run([...command("writes-on.mjs", stop), "--view", "result", ...UNWALLED]);
      expect(done.code).toBe(0);
      const { sealed, directory } = recording();
      expect(sealed).toMatchObject({ status: "completed" });
      const raw = join(directory, "raw.jsonl");
      const bytes = readFileSync(raw);
      expect(bytes.includes("result\n")).toBe(true);
      expect(sealed?.files["raw.jsonl"]?.bytes).toBe(bytes.length);
      expect(readFileSync(join(directory, "events.jsonl"), "utf8")).toContain('"escaped"');
      expect((await harness(["sessions", "verify", "last"])).code).toBe(0);
      expect(readFileSync(raw).length).toBe(bytes.length); // it still writes, but elsewhere
      expect(existsSync(stop)).toBe(false);
    } finally {
      writeFileSync(stop, "");
    }
  });

  describe("S6: a survivor that says nothing, but could", () => {
    const hasProc = existsSync("/proc/self/fd");
    const leaves = (stop: string) => [...command("stays-silent.mjs", stop), ...UNWALLED];
    const pidIn = (raw: string) => Number(/left (\d+)/.exec(raw)?.[1]);

    test.runIf(hasProc)("is named, and writes elsewhere after the seal", { timeout: 2 * LONG_MS }, async () => {
      const { root, run, recording, harness } = place();
      const stop = join(dirname(root), "stop");
      try {
        expect((await run(leaves(stop))).code).toBe(0);
        const { sealed, directory, raw, activity } = recording();
        const pid = pidIn(raw);
        expect(isAlive(pid)).toBe(true);
        expect(activity.filter(({ code }) => code === "escaped")).toMatchObject([
          { message: expect.stringContaining(`(${pid}) survived`) },
        ]);
        writeFileSync(stop, "");
        await eventually(() => expect(isAlive(pid)).toBe(false));
        expect(statSync(join(directory, "raw.jsonl")).size).toBe(sealed?.files["raw.jsonl"]?.bytes);
        expect((await harness(["verify", "last"])).code).toBe(0);
      } finally {
        writeFileSync(stop, "");
      }
    });

    test.runIf(hasProc)("also if its recorder was killed", { timeout: 2 * LONG_MS }, async () => {
      const { run, recording, harness } = place();
      await run(command("exits-at-once"));
      const { manifest, directory } = recording();
      const { sealed: _1, digest: _2, ...unsealed } = manifest;
      writeFileSync(join(directory, "run.json"), JSON.stringify(unsealed));
      const held = openSync(join(directory, "raw.jsonl"), "a");
      try {
        expect((await harness(["verify", "last"])).code).toBe(0);
        expect(recording().sealed?.repairs?.join()).toContain(`(${process.pid}) and has been replaced with a copy`);
        writeSync(held, "late\n");
        expect((await harness(["verify", "last"])).code).toBe(0);
      } finally {
        closeSync(held);
      }
    });
  });
});
