import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sample } from "../../../support/full.ts";
import { carrying, cleanUp, type Done, eventually, inParallel, type Place, place } from "../../../support/place.ts";
import { expectSealed, filesHolding, leftovers, type OnDisk, onDisk } from "./support/recorded.ts";

/**
 * Case 38: the Nth change to the file system fails, for every N, until a run is no longer affected. The full test tries death at every N
 * and the other faults at every second, third or fourth; `npm test` tries some of each, different ones every day.
 */

const FAULTS = join(import.meta.dirname, "support/faults.mjs");
const SPEAKS = `sh ${join(import.meta.dirname, "support/speaks.sh")}`;
const SECRET = "sesame-open-42";
const STDOUT = `one\n{"key":"${SECRET}"}\nthrée`;
const STDERR = `oops ${SECRET}\n`;
const MOST = 20;
const masked = (text: string) => text.replaceAll(SECRET, "*".repeat(SECRET.length));

/** The changes that an undisturbed run makes. */
let calls: readonly string[] = [];

afterAll(cleanUp);
beforeAll(async () => {
  const here = place();
  await runWith(here, {});
  calls = JSON.parse(readFileSync(join(here.root, "../calls"), "utf8"));
});

function runWith(here: Place, fault: object, name = ""): Promise<Done> {
  const env = { CANARY_TOKEN: SECRET, FAULT: JSON.stringify(fault), FAULT_CALLS: join(here.root, "../calls") };
  return here.run(["--agent", "generic", "--command", SPEAKS, "--name", name], { node: ["--import", FAULTS], env });
}

interface Outcome {
  readonly label: string;
  readonly done: Done;
  /** What the fault left; undefined if it came before there was a run. */
  readonly left: OnDisk | undefined;
}

/** Runs with a fault at some of every `step`th call, and once beyond the last call: all in one place. */
async function everyNth(here: Place, fault: object, wanted?: string, step = 1): Promise<readonly Outcome[]> {
  const all = calls.map((call, i) => ({ call, at: i + 1 })).filter(({ call }) => wanted === undefined || call === wanted);
  const chosen = sample(
    all.filter((_, i) => i % step === 0),
    MOST,
  );
  const done = new Map<string, Done>();
  await inParallel(4, [...chosen, { call: "none", at: calls.length + 1 }], async ({ call, at }) => {
    const label = `${at} ${call}`;
    done.set(label, await runWith(here, { at, ...fault }, label));
  });
  await eventually(() => expect(carrying(`XDG_DATA_HOME=${join(here.root, "..")}`)).toEqual([]));
  const ids = readdirSync(here.runs).filter((id) => !id.startsWith("."));
  const left = new Map(ids.map((id) => onDisk(join(here.runs, id))).map((run) => [run.manifest.name ?? "", run]));
  return [...done].map(([label, ended]) => ({ label, done: ended, left: left.get(label) }));
}

/** After the next open everything is complete, and no output is lost. */
async function expectRecovered(here: Place, outcomes: readonly Outcome[]): Promise<void> {
  const { code, stdout } = await here.harness(["sessions", "list"]);
  expect(code).toBe(0);
  expect(stdout).not.toContain("damaged");
  for (const { label, left } of outcomes) {
    if (left === undefined) continue;
    await expectSealed(left.paths.directory);
    const now = onDisk(left.paths.directory);
    expect(now.raw.length, label).toBe(left.raw.length);
    expect({ label, raw: now.raw }).toEqual({ label, raw: masked(STDOUT).slice(0, now.raw.length) });
    expect({ label, stderr: now.stderr }).toEqual({ label, stderr: masked(STDERR).slice(0, now.stderr.length) });
    if (left.manifest.sealed === undefined) expect(leftovers(left.paths.directory), label).toEqual([]);
  }
  const known = new Set(outcomes.flatMap(({ left }) => (left === undefined ? [] : [left.manifest.id])));
  expect(readdirSync(here.sessions).filter((name) => !known.has(name.split(".")[0] ?? ""))).toEqual([]);
  expect(filesHolding(here.sessions, SECRET)).toEqual([]);
  for (const id of known) expect(filesHolding(join(here.runs, id), SECRET, "fingerprints")).toEqual([]);
}

describe("case 38: a fault at the Nth change, for every N", { timeout: 240_000 }, () => {
  test("a run makes many changes, and they are counted", () => {
    expect(calls.length).toBeGreaterThan(40);
    expect(calls.filter((name) => name === "writeSync").length).toBeGreaterThan(10);
    expect(new Set(calls).size).toBeGreaterThan(6);
  });

  test.each([
    ["kill", undefined, 1],
    ["torn", "writeSync", 2],
  ])("%s: the next open completes the rest", async (how, wanted, step) => {
    const here = place();
    const outcomes = await everyNth(here, { how }, wanted, step);
    for (const { done, label } of outcomes) expect(done.signal ?? done.code, label).toBe(done.signal === null ? 0 : "SIGKILL");
    expect(outcomes.filter(({ done }) => done.signal === "SIGKILL").length).toBeGreaterThan(outcomes.length / 2);
    await expectRecovered(here, outcomes);
  });

  test("short: continues after a write that accepts half", async () => {
    const here = place();
    const outcomes = await everyNth(here, { how: "short" }, "writeSync", 3);
    for (const { done, label } of outcomes) expect({ label, code: done.code, stderr: done.stderr }).toEqual({ label, code: 0, stderr: "" });
    for (const { left } of outcomes) expect(left?.raw).toBe(masked(STDOUT));
    await expectRecovered(here, outcomes);
  });

  test.each([
    ["EIO, once", { how: "EIO" }, 3],
    ["ENOSPC, from then on", { how: "ENOSPC", lasting: true }, 4],
    ["EDQUOT, from then on", { how: "EDQUOT", lasting: true }, 5],
    ["EROFS, from then on", { how: "EROFS", lasting: true }, 5],
  ])("%s: one sentence, exit code 74, and the next open completes the rest", async (_name, fault, step) => {
    const here = place();
    const outcomes = await everyNth(here, fault, undefined, step);
    for (const { done, label, left } of outcomes) {
      expect(done.signal, label).toBeNull();
      if (done.code === 0) {
        expect(left?.manifest.sealed?.status, label).toBe("completed"); // the failed change was not needed
        continue;
      }
      expect({ label, code: done.code, lines: done.stderr.split("\n").length }).toEqual({ label, code: 74, lines: 2 });
      expect(done.stderr).toMatch(/^harness: \S.+\.$/m);
    }
    expect(outcomes.filter(({ done }) => done.code === 74).length).toBeGreaterThan(outcomes.length / 2);
    await expectRecovered(here, outcomes);
  });
});
