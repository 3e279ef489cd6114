import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { outbox } from "../../../../src/host/recording/write/outbox.ts";
import { log } from "../../../../src/pure/views/log/view.ts";
import { ROOT } from "../../../support/harness.ts";
import { agent, cleanUp, command, expectWhole, LONG_MS, place, procFile, type Started } from "../../../support/place.ts";

afterAll(cleanUp);

/** A recorder needs about 140 MB, with or without load; one that keeps its input would need several times as much. */
const MOST_MEMORY_KB = 220_000;

/** The peak memory of the process, in kilobytes. Zero if the system does not report it. */
async function peakOf({ pid, done }: Started): Promise<number> {
  let peak = 0;
  const look = setInterval(() => {
    peak = Math.max(peak, Number(/VmHWM:\s*(\d+)/.exec(procFile(pid, "status").toString())?.[1] ?? 0));
  }, 20);
  await done;
  clearInterval(look);
  return peak;
}

/** Waits with the first records until the agent has finished, then prints how far it got, and reads the rest. */
const SLOW_READER = `
import { existsSync } from "node:fs";
import { run } from ${JSON.stringify(join(ROOT, "dist/index.js"))};
const [command, marker] = process.argv.slice(1);
let count = 0;
let then = -1;
let last;
for await (const record of run({ agent: "generic", command, prompt: "Go." })) {
  count++;
  last = record;
  while (then < 0 && count > 3 && !existsSync(marker)) await new Promise((resolve) => setTimeout(resolve, 50));
  if (then < 0 && existsSync(marker)) then = count;
}
console.log(JSON.stringify({ count, then, last }));
`;

describe("case 35: a reader of the library is slow", () => {
  test("the agent is not held up, memory is bounded, and every record arrives", { timeout: 3 * LONG_MS }, async () => {
    const { root, spawn, recording } = place();
    const marker = join(root, "../flooded");
    const line = `'${agent("floods.mjs")}' 1 40 1000 '${marker}'`;
    const started = spawn(process.execPath, ["--input-type=module", "-e", SLOW_READER, line, marker]);
    const peak = await peakOf(started);
    const { code, stdout, stderr } = await started.done;
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(existsSync(marker)).toBe(true);
    const { count, then, last } = JSON.parse(stdout);
    expect(then).toBeLessThan(10);
    expect(last).toMatchObject({ type: "Result", success: true });
    expect(recording().sealed?.status).toBe("completed");
    expect(count).toBe(recording().stream.length);
    expect(peak).toBeLessThan(MOST_MEMORY_KB);
  });

  test.each([
    ["short lines", 12, 20_000],
    ["long lines", 1_000_000, 10],
  ])("what waits for it is limited by its cost: %s", async (_, length, most) => {
    const box = outbox(log, {});
    let kept = 0;
    for (let seq = 1; seq <= 10 * most; seq++) {
      const from = [{ record: seq, stream: "stdout", offset: 0, length }] as const;
      box.push([{ seq, at: 0, from, provenance: "declared", body: { type: "notice", kind: "x" } }]);
    }
    box.close();
    const batches = box.batches();
    let next = await batches.next();
    for (; !next.done; next = await batches.next()) kept += next.value.length;
    expect(next.value).toEqual({ overflowed: kept });
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(most);
  });
});

test("case 36: a flood on stderr is stored completely, and shown in a few events", { timeout: 2 * LONG_MS }, async () => {
  const { start, recording } = place();
  const started = start(["run", "--prompt", "Go.", ...command("floods.mjs", "2", "64", "1000"), "--view", "activity"]);
  const peak = await peakOf(started);
  const { code, stdout } = await started.done;
  expect(code).toBe(0);
  const { directory, activity, stream, sealed } = recording();
  expect(statSync(join(directory, "stderr.log")).size).toBe(64 * 1049 * 1000);
  expect(sealed?.files["stderr.log"]?.bytes).toBe(64 * 1049 * 1000);
  expect(activity.length).toBeLessThan(1100);
  expect(activity.filter(({ code }) => code === "stderr-capped")).toHaveLength(1);
  expect(stdout.length).toBeLessThan(2_000_000);
  expect(peak).toBeLessThan(MOST_MEMORY_KB);
  expectWhole(stream);
});
