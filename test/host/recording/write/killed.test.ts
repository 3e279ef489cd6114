import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { runPaths, sessionPaths } from "../../../../src/host/recording/format/run-paths.ts";
import { verifyRun } from "../../../../src/host/recording/write/verify-run.ts";
import { agents } from "../../../../src/pure/agents/agents.ts";
import { runs } from "../../../support/full.ts";
import {
  agent,
  cleanUp,
  command,
  eventually,
  expectNoOrphan,
  expectWhole,
  inParallel,
  LONG_MS,
  type Place,
  place,
} from "../../../support/place.ts";

afterAll(cleanUp);

const SECRET = "canary-5f1c/ö+value";
const KILLS = runs(12, 50);

describe("case 5: the recorder dies", () => {
  test(`killed at ${KILLS} random moments while an agent counts: no line lost, no orphan, all sealed at the next open`, {
    timeout: 5 * LONG_MS,
  }, async () => {
    const where = place();
    const moments = fc.sample(fc.nat(250), KILLS).map((ms, i) => ({ ms, counter: join(where.root, "..", `counter-${i}`) }));
    await inParallel(4, moments, ({ ms, counter }) => killAfter(where, ms, counter));
    for (const recording of where.recordings()) await expectNoOrphan(recording);

    const list = await where.harness(["sessions", "list", "--json"]);
    expect(list.code).toBe(0);
    const recordings = where.recordings();
    expect(recordings).toHaveLength(KILLS);
    for (const recording of recordings) {
      const { sealed, manifest, stream, raw, stderr, activity } = recording;
      expect(sealed).toMatchObject({ status: "crashed", reason: "recorder-died" });
      expectWhole(stream);
      expect(stream.at(-1)).toMatchObject({ success: false, status: "crashed" });
      expectEveryLine(raw, stderr, manifest.command?.args[0] ?? "");
      expect(JSON.stringify([stream, activity, raw, stderr])).not.toContain("canary-5f1c");
    }
    for (const { manifest, directory, id } of recordings) {
      const { stream } = sessionPaths(where.sessions, id);
      expect(await verifyRun(manifest, runPaths(directory), stream, agents.generic)).toEqual([]);
    }
    expect((await where.harness(["sessions", "verify", "last"])).code).toBe(0);
  });

  test("killed before the agent was started: either nothing is there, or a run", { timeout: 2 * LONG_MS }, async () => {
    const where = place();
    await inParallel(3, fc.sample(fc.integer({ min: 60, max: 200 }), runs(6, 12)), async (ms) => {
      const { child, done } = where.start(["run", "--prompt", "Go.", ...command("says-nothing")]);
      await Promise.race([pause(ms), done]);
      child.kill("SIGKILL");
      await done;
    });
    for (const recording of where.recordings()) await expectNoOrphan(recording);
    const rows = (await where.harness(["sessions", "list", "--json"])).stdout.split("\n").filter((line) => line !== "");
    for (const row of rows) expect(JSON.parse(row).status).toBe("crashed");
    for (const { stream } of where.recordings()) expectWhole(stream);
  });

  test("a visible run can be read from its first moment", { timeout: 2 * LONG_MS }, async () => {
    const where = place();
    const { done } = where.start(["run", "--prompt", "Go.", ...command("exits-at-once")]);
    let isOver = false;
    void done.then(() => {
      isOver = true;
    });
    let seen = 0;
    while (!isOver) {
      // At any moment, every listed run has a complete run.json.
      for (const { manifest, id } of where.recordings()) expect(manifest.id, `look ${++seen}`).toBe(id);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await done).toMatchObject({ code: 0 });
    expect(seen).toBeGreaterThan(0);
  });

  test("counts what was masked in the prompt, even if it was masked before", { timeout: LONG_MS }, async () => {
    const { start, harness, recording } = place();
    const env = { CANARY_TOKEN: SECRET };
    const { child, done, printed } = start(["run", "--prompt", `Use ${SECRET} and ${SECRET}.`, ...command("stops-politely")], { env });
    await printed("ready");
    child.kill("SIGKILL");
    await done;
    await harness(["sessions", "list"]);
    expect(recording().sealed?.masked).toBe(2);
  });

  test("out of memory: the agent ends with it, and nothing is lost", { timeout: 2 * LONG_MS }, async () => {
    const { start, harness, recording } = place();
    const started = start(["run", "--prompt", "Go.", ...command("outgrows.mjs")], { node: ["--max-old-space-size=40"] });
    const done = await started.done;
    expect(done.signal ?? done.code).not.toBe(0);
    expect(done.stderr).toContain("heap");
    await expectNoOrphan(recording());
    expect((await harness(["sessions", "verify", "last"])).code).toBe(0);
    expect(recording().sealed).toMatchObject({ status: "crashed", reason: "recorder-died" });
    expect(recording().raw.startsWith("line 1\n")).toBe(true);
    expectWhole(recording().stream);
  });
});

async function killAfter({ start }: Place, ms: number, counter: string): Promise<void> {
  const { child, done } = start(
    ["run", "--prompt", "Count.", "--agent", "generic", "--command", `${agent("counts")} ${counter}`, "--view", "result"],
    {
      env: { CANARY_TOKEN: SECRET },
    },
  );
  await eventually(() => expect(existsSync(counter) && readFileSync(counter, "utf8")).toContain("\n"), LONG_MS);
  await pause(ms);
  child.kill("SIGKILL");
  await done;
}

/** The agent writes a line, then counts it: at most one line was written and not counted. */
function expectEveryLine(raw: string, stderr: string, counter: string): void {
  const counted = readFileSync(counter, "utf8").split("\n").length - 1;
  const numbers = [raw, stderr].map((text) => {
    expect(text === "" || text.endsWith("\n")).toBe(true);
    return [...text.matchAll(/^line (\d+)/gm)].map(([, n]) => Number(n));
  });
  for (const each of numbers) expect(each).toEqual(each.toSorted((a, b) => a - b));
  const all = numbers.flat().toSorted((a, b) => a - b);
  expect(all).toEqual(Array.from({ length: all.length }, (_, i) => i + 1));
  expect([counted, counted + 1]).toContain(all.length);
}
