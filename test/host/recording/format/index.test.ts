import { copyFileSync, existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventsOfRun } from "../../../../src/host/recording/derive/derive-run.ts";
import { readIndex } from "../../../../src/host/recording/format/run-index.ts";
import { generic } from "../../../../src/pure/agents/generic/agent.ts";
import { cleanUp, type Place, place } from "../../../support/place.ts";
import { crashedCopy, sealedCopy } from "./support/crashed.ts";
import { expectSealed, flawsOf, type OnDisk, onDisk } from "./support/recorded.ts";

/** The index of a run: places to start reading from. */

const LINES = 8000;

let here: Place;
let run: OnDisk;

afterAll(cleanUp);
beforeAll(async () => {
  here = place();
  const script = `i=0; while [ $i -lt ${LINES} ]; do i=$((i+1)); echo "line $i"; [ $((i % 400)) != 0 ] || { echo "note $i" >&2; sleep 0.02; }; done`;
  await here.run(["--agent", "generic", "--command", `sh -c '${script}'`]);
  run = onDisk(here.recording().directory);
});

/** How many events come from the records before this byte. */
async function eventsBefore({ manifest, paths }: OnDisk, recordsOffset: number): Promise<{ event: number; place: object | undefined }> {
  const whole = `${paths.records}.whole`;
  copyFileSync(paths.records, whole);
  truncateSync(paths.records, recordsOffset);
  let count = 0;
  let seen: { event: number; place: object | undefined } = { event: 0, place: undefined };
  const onPlace = (place: object) => {
    seen = { event: count, place };
  };
  for await (const batch of eventsOfRun(manifest, paths.directory, generic, { onPlace })) count += batch.length;
  copyFileSync(whole, paths.records);
  rmSync(whole);
  return seen;
}

async function expectTrue(indexed: OnDisk): Promise<void> {
  const entries = readIndex(indexed.paths.index);
  expect(entries.length).toBeGreaterThan(1); // the count depends on how much came at a time
  expect(entries.length).toBeLessThanOrEqual(8);
  let before = 0;
  for (const entry of entries) {
    if (entry === undefined) throw new Error("an entry cannot be read");
    expect(entry.event - before).toBeGreaterThanOrEqual(1000);
    before = entry.event;
    const { event, place } = await eventsBefore(indexed, entry.recordsOffset);
    const { event: _, ...where } = entry;
    expect({ event, ...place }).toEqual({ type: "place", event: entry.event, ...where });
    const rest = readFileSync(indexed.paths.records).subarray(entry.recordsOffset).toString().split("\n")[0] ?? "";
    expect(JSON.parse(rest).seq).toBe(entry.record + 1);
  }
}

describe("index.jsonl", () => {
  test("is written live, and every line is correct", async () => {
    await expectSealed(run.paths.directory);
    await expectTrue(run);
  });

  test("is rebuilt by the repair of a crashed run, whatever was there", async () => {
    const there = place();
    for (const spoil of [() => undefined, rmSync, (path: string) => writeFileSync(path, '{"event":1}\n{"ev')]) {
      const crashed = crashedCopy(there, run);
      spoil(crashed.paths.index);
      await there.harness(["sessions", "list"]);
      await expectSealed(crashed.paths.directory);
      await expectTrue(onDisk(crashed.paths.directory));
    }
  });

  test("verify names a line that points elsewhere", async () => {
    const copy = sealedCopy(place(), run);
    const lines = readFileSync(copy.paths.index, "utf8").split("\n");
    for (const [at, change] of [
      [0, (line: string) => line.replace(/"stdout":/, '"stdout":1')],
      [1, (line: string) => line.replace(/"recordsOffset":\d/, '"recordsOffset":')],
      [1, (line: string) => line.slice(0, -5)],
    ] as const) {
      writeFileSync(copy.paths.index, lines.map((line, i) => (i === at ? change(line) : line)).join("\n"));
      expect(await flawsOf(copy.paths.directory)).toEqual([
        { file: "index.jsonl", line: at + 1, problem: "this is not a place between two records" },
      ]);
    }
    rmSync(copy.paths.index);
    expect(await flawsOf(copy.paths.directory)).toEqual([]); // it can be rebuilt
  });

  test("a short run has none; a single long line gets an entry", async () => {
    const there = place();
    await there.run(["--agent", "generic", "--command", "echo hi"]);
    expect(existsSync(onDisk(there.recording().directory).paths.index)).toBe(false);
    const other = place();
    await other.run(["--agent", "generic", "--command", "sh -c 'head -c 1500000 /dev/zero | tr \"\\\\0\" x; echo; echo end'"]);
    const { paths } = onDisk(other.recording().directory);
    expect(statSync(paths.stdout).size).toBe(1_500_005);
    expect(readIndex(paths.index)).toMatchObject([{ record: expect.any(Number), stdout: expect.any(Number) }]);
  });
});

describe("a crashed run of many lines", () => {
  test("100,000: completed in bounded memory", async () => {
    const there = place();
    const crashed = crashedCopy(there, run);
    for (const path of [crashed.paths.records, crashed.paths.events, crashed.paths.session]) truncateSync(path);
    writeFileSync(crashed.paths.stdout, "a line like any other\n".repeat(100_000));
    const peak = join(there.root, "../peak");
    const source = `import { readFileSync, writeFileSync } from "node:fs"; process.on("exit", () => writeFileSync(${JSON.stringify(peak)}, /VmHWM:\\s+(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]));`;
    const node = ["--import", `data:text/javascript,${encodeURIComponent(source)}`];
    const { code, ms } = await there.harness(["sessions", "list"], { node });
    expect(code).toBe(0);
    expect(ms).toBeLessThan(30_000);
    expect(Number(readFileSync(peak, "utf8")) / 1024).toBeLessThan(200);
    const { sealed } = onDisk(crashed.paths.directory).manifest;
    expect(sealed).toMatchObject({ records: 100_001 + run.stderr.split("\n").length - 1, status: "crashed" });
  });
});
