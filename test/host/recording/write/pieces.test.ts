import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { derive } from "../../../../src/host/recording/derive/derive.ts";
import { fingerprintsOf } from "../../../../src/host/recording/format/fingerprints.ts";
import { openRecording } from "../../../../src/host/recording/write/open-recording.ts";
import { openRun } from "../../../../src/host/recording/write/open-run.ts";
import { secretForms } from "../../../../src/host/secrets/secret-forms.ts";
import { everyView } from "../../../support/every-view.ts";
import { runs, sample } from "../../../support/full.ts";
import { cutInto, type Dialect, dialects } from "../../../support/pieces.ts";
import { agent, cleanUp, eventually, inParallel, jsonLines, LONG_MS, place } from "../../../support/place.ts";
import { crashedCopy, linesOf } from "../format/support/crashed.ts";
import { expectSealed, filesHolding, onDisk } from "../format/support/recorded.ts";

/** S2: what an agent prints in pieces is joined by the log, the views and the page. A secret is masked in each piece. */

const KEY = "sk-canary/9f+0123456789-end";
const TEXT = `The key is ${KEY}, and that is all.`;
/** The first three characters may stay. */
const LEFT = KEY.slice(0, 4);

const root = mkdtempSync(join(tmpdir(), "harness-pieces-"));
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
  cleanUp();
});

function printed({ line }: Dialect, size: number): Buffer {
  let soFar = "";
  const lines = cutInto(TEXT, [size]).map((piece) => {
    soFar += piece;
    return JSON.stringify(line(piece, soFar, 0));
  });
  return Buffer.from(`${lines.join("\n")}\n`);
}

async function recorded(dialect: Dialect, bytes: Buffer, environment: NodeJS.ProcessEnv): Promise<string> {
  const dataDirectory = join(root, "data");
  const recording = await openRecording({ agent: dialect.agent, origin: { id: "test" }, dataDirectory, environment });
  for (let from = 0; from < bytes.length; from += 333) recording.stdout(bytes.subarray(from, from + 333), Date.now());
  await recording.end({ at: Date.now(), exitCode: 0 });
  return recording.directory;
}

async function everyRecord(directory: string): Promise<string> {
  let text = "";
  for await (const record of derive(directory, { view: everyView })) text += `${JSON.stringify(record)}\n`;
  return text;
}

const joinedIn = ({ piece }: Dialect, raw: string) => jsonLines(raw).map(piece).join("");

describe.each(dialects)("$name", (dialect) => {
  test.each(sample([1, 3, 5, 17], 2))("in pieces of %i: in no file and no view, live and derived", { timeout: LONG_MS }, async (size) => {
    const directory = await recorded(dialect, printed(dialect, size), { CANARY_TOKEN: KEY });
    const { raw } = onDisk(directory);
    expect(joinedIn(dialect, raw)).toMatch(/^The key is (?:sk?-?)?\*{24,27}, and that is all\.$/);
    expect(filesHolding(directory, LEFT)).toEqual([]);
    expect(await everyRecord(directory)).not.toContain(LEFT);
    expect((await expectSealed(directory)).masked).toBeGreaterThan(0);
  });

  test("after its recorder was killed at any line, the next open masks the rest", { timeout: LONG_MS }, async () => {
    const whole = onDisk(await recorded(dialect, printed(dialect, 5), {}));
    const secrets = { names: ["CANARY_TOKEN"], fingerprints: fingerprintsOf(secretForms([KEY])) };
    const there = place();
    for (const kept of [0, 3]) {
      const copy = crashedCopy(there, whole, (manifest) => ({ ...manifest, secrets }));
      writeFileSync(copy.paths.records, Buffer.concat(linesOf(copy.paths.records).slice(0, kept)));
      await openRun(copy.paths.directory);
      expect(joinedIn(dialect, onDisk(copy.paths.directory).raw)).toMatch(/^The key is (?:sk-c)?\*{23,27}, and that is all\.$/);
      expect(await everyRecord(copy.paths.directory)).not.toContain(KEY.slice(0, 6));
      await expectSealed(copy.paths.directory);
    }
  });
});

describe("a live agent", () => {
  test("lines that wait for the rest are recorded when nothing comes, and the rest is masked", { timeout: LONG_MS }, async () => {
    const [acp] = dialects as [Dialect];
    const dataDirectory = join(root, "slow");
    const environment = { CANARY_TOKEN: KEY };
    const recording = await openRecording({ agent: "acp", origin: { id: "test" }, dataDirectory, environment });
    const say = (text: string) => recording.stdout(Buffer.from(`${JSON.stringify(acp.line(text, "", 0))}\n`), Date.now());
    const records = () => linesOf(join(recording.directory, "records.jsonl")).length;
    say("It is sk-canary");
    expect(records()).toBe(0);
    await eventually(() => expect(records()).toBe(1));
    for (const piece of cutInto(KEY.slice(9), [6])) say(piece);
    await recording.end({ at: Date.now(), exitCode: 0 });
    expect(joinedIn(acp, onDisk(recording.directory).raw)).toBe(`It is sk-canary${"*".repeat(KEY.length - 9)}`);
    await expectSealed(recording.directory);
  });

  test.each(sample([1, 3, 5, 17], 1))("that speaks ACP, in pieces of %i", { timeout: LONG_MS }, async (size) => {
    const { harness, recording, root: data } = place();
    const env = { CANARY_TOKEN: KEY };
    const args = ["--prompt", "Go.", "--agent", "acp", "--view", "log", "--", agent("acp.mjs"), "spells", String(size)];
    const live = await harness(["run", ...args], { env });
    expect(live.code, live.stderr).toBe(0);
    expect(live.stdout).toContain("and that is all.");
    expect(live.stdout).not.toContain(LEFT);
    expect(filesHolding(data, LEFT)).toEqual([]);
    expect((await harness(["derive", "last", "--view", "log"])).stdout).toBe(live.stdout);
    await expectSealed(recording().directory);
    expect(readFileSync(join(recording().directory, "raw.jsonl"), "utf8")).toContain("**");
  });

  const KILLS = runs(10, 50);
  test(`its recorder is killed with SIGKILL at ${KILLS} moments while pieces wait: the next command masks them`, {
    timeout: 5 * LONG_MS,
  }, async () => {
    const claude = dialects[1] as Dialect;
    const spelling = join(root, "spells-on");
    writeFileSync(spelling, spellingOn(printed(claude, 5)), { mode: 0o755 });
    const env = { CANARY_TOKEN: KEY };
    let masked = 0;
    await inParallel(3, fc.sample(fc.nat(400), KILLS), async (ms) => {
      const where = place();
      const { child, done } = where.start(["run", "--prompt", "Go.", "--agent", "claude", "--binary", spelling], { env });
      await Promise.race([eventually(() => expect(where.recording().raw).not.toBe(""), LONG_MS), done]);
      await pause(ms);
      child.kill("SIGKILL");
      await done;
      expect((await where.harness(["runs", "--json"], { env })).code).toBe(0);
      const { directory, raw, sealed } = where.recording();
      expect(sealed).toMatchObject({ status: "crashed" });
      const said = joinedIn(claude, raw.slice(0, raw.lastIndexOf("\n") + 1));
      expect(said).toMatch(/^(?:The key is (?:sk?-?c?)?\*{23,27}, and that is all\.)*[^.]*$/);
      expect(said).not.toContain(KEY);
      expect(await everyRecord(directory)).not.toContain(KEY);
      expect(filesHolding(where.root, KEY)).toEqual([]);
      await expectSealed(directory);
      masked += said.split("**, and").length - 1;
    });
    expect(masked).toBeGreaterThan(0);
  });
});

/** A program that prints these lines again and again, slowly. */
function spellingOn(lines: Buffer): string {
  return `#!${process.execPath}
    const lines = ${JSON.stringify(lines.toString().trimEnd().split("\n"))};
    let at = 0;
    setInterval(() => console.log(lines[at++ % lines.length]), 5);`;
}
