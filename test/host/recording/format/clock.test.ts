import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { cleanUp, jsonLines, LONG_MS, type Place, place } from "../../../support/place.ts";
import { expectSealed, onDisk, textOf } from "./support/recorded.ts";

/** Case 44: the system clock is changed while the agent runs. */

const HOUR = 3_600_000;
/** More than anything here takes, and far less than an hour. */
const SLACK = 600_000;
const JUMP = join(import.meta.dirname, "support/clock-jump.mjs");

afterAll(cleanUp);

/** The clock is changed when this file appears; the agent creates it. */
const signal = (here: Place) => join(here.root, "../jump");

const jumped = (by: number, when: string) => ({ node: ["--import", JUMP], env: { CLOCK_JUMP_MS: String(by), CLOCK_JUMP_WHEN: when } });

/** Expects each recorded and shown time to be no earlier than the one before. */
function expectEven(times: readonly number[], began: number): void {
  expect(times.length).toBeGreaterThan(2);
  expect([...times].sort((a, b) => a - b)).toEqual(times);
  for (const time of times) expect(Math.abs(time - began)).toBeLessThan(SLACK);
}

const timesOf = (text: string) => jsonLines(text).map((record) => Number(record["at"] ?? record["timestamp_ms"]));

/** A busy machine may be slow to start anything; only an hour is too long. */
const SLEEP_MS = 600_000;
const TIMEOUT = { timeout: 3 * LONG_MS };

describe.concurrent.each([
  ["forward", HOUR],
  ["back", -HOUR],
])("case 44: the clock is set %s by an hour", (_name, by) => {
  test("times advance evenly, and the duration is right", TIMEOUT, async () => {
    const here = place();
    const began = Date.now();
    const agent = `sh -c 'for i in 1 2 3 4 5 6; do echo $i; sleep 0.1; touch ${signal(here)}; done'`;
    const done = await here.run(["--agent", "generic", "--command", agent], jumped(by, signal(here)));
    expect(done.code).toBe(0);
    const { paths, manifest } = onDisk(here.recording().directory);
    const seal = await expectSealed(paths.directory);
    expectEven(timesOf(done.stdout), began);
    expectEven(timesOf(textOf(paths.records)), began);
    expectEven([manifest.startedAt, ...timesOf(textOf(paths.session)), seal.at], began);
    expect(seal.durationMs).toBeGreaterThan(550);
    expect(seal.durationMs).toBeLessThan(done.ms);
  });

  test.each([
    ["--timeout", "timed_out"],
    ["--idle-timeout", "hung"],
  ])("%s fires on time", TIMEOUT, async (option, status) => {
    const here = place();
    const agent = `sh -c 'touch ${signal(here)}; exec sleep ${SLEEP_MS / 1000}'`;
    const done = await here.run(["--agent", "generic", "--command", agent, option, "1s"], jumped(by, signal(here)));
    expect(done.code).toBe(124);
    expect(done.ms).toBeGreaterThan(950);
    expect(done.ms).toBeLessThan(SLEEP_MS); // otherwise the agent has ended by itself
    const seal = await expectSealed(here.recording().directory);
    expect(seal.status).toBe(status);
    expect(seal.durationMs).toBeGreaterThan(950);
    expect(seal.durationMs).toBeLessThan(SLEEP_MS);
  });

  test("a run that is completed later has no time before that of the previous record", TIMEOUT, async () => {
    const here = place();
    const began = Date.now();
    const started = here.start(["run", "--prompt", "Go.", "--agent", "generic", "--command", "sh -c 'echo one; echo two; exec sleep 50'"]);
    await started.printed('"two');
    started.child.kill("SIGKILL");
    await started.done;
    const [run] = here.recordings();
    const { paths } = onDisk(run?.directory ?? "");
    const before = readFileSync(paths.records);
    await here.harness(["sessions", "list"], jumped(by, here.root));
    expect(readFileSync(paths.records).subarray(0, before.length)).toEqual(before);
    const seal = await expectSealed(paths.directory);
    expectEven([...timesOf(textOf(paths.records)), seal.at], began);
    expectEven(timesOf(textOf(paths.session)), began);
    expect(seal.durationMs).toBeNull();
  });
});

test("the clock was really changed", async () => {
  const { spawn } = place();
  const { stdout } = await spawn(process.execPath, ["--import", JUMP, "-p", "Date.now()"], { env: jumped(-HOUR, JUMP).env }).done;
  expect(Math.abs(Number(stdout) - (Date.now() - HOUR))).toBeLessThan(SLACK);
});

test("S11: last follows the order of creation when the clock is set back", TIMEOUT, async () => {
  const here = place();
  const say = (text: string) => ["--agent", "generic", "--command", `echo ${text}`, "--view", "result"];
  await here.run(say("first"), jumped(24 * HOUR, "/"));
  await here.run(say("second"));
  await here.run(say("third"), jumped(-24 * HOUR, "/"));
  expect((await here.harness(["derive", "last", "--view", "stream"])).stdout).toContain("third");
  const listed = jsonLines((await here.harness(["sessions", "list", "--json"])).stdout).map(({ id }) => String(id));
  const text = (id: string) => textOf(join(here.runs, id, "raw.jsonl")).trim();
  expect(listed.map(text)).toEqual(["third", "second", "first"]);
});
