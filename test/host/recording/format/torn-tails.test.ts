import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fingerprintsOf } from "../../../../src/host/recording/format/fingerprints.ts";
import { secretForms } from "../../../../src/host/secrets/secret-forms.ts";
import { sample } from "../../../support/full.ts";
import { cleanUp, inParallel, type Place, place } from "../../../support/place.ts";
import { crashedCopy, linesOf } from "./support/crashed.ts";
import { expectSealed, flawsOf, leftovers, type OnDisk, onDisk, textOf } from "./support/recorded.ts";

/** Case 39: what a process leaves if it dies while it writes. */

const FAULTS = join(import.meta.dirname, "support/faults.mjs");
const SPEAKS = `sh ${join(import.meta.dirname, "support/speaks.sh")}`;

let here: Place;
let whole: OnDisk;

afterAll(cleanUp);
beforeAll(async () => {
  here = place();
  await here.run(["--agent", "generic", "--command", SPEAKS, "--prompt", "Où?"]);
  whole = onDisk(here.recording().directory);
});

/** What follows the last complete line; `line` is the one that belongs there. */
const tails: Readonly<Record<string, (line: Buffer) => Buffer>> = {
  "in the middle of JSON": (line) => line.subarray(0, 20),
  "in the middle of a character": (line) => Buffer.concat([line.subarray(0, 12), Buffer.from([0xc3])]),
  "complete, except for its newline": (line) => line.subarray(0, -1),
  "half a number": () => Buffer.from("12"),
  "4 KB of NULs": () => Buffer.alloc(4096),
  "another line": () => Buffer.from('{"seq":1,"type":"exit"}\n'),
};

const files = ["records", "events", "session"] as const;
const rows = files.flatMap((file) => Object.keys(tails).map((tail) => [file, tail] as const));

describe("case 39: torn ends", { timeout: 240_000 }, () => {
  const torn = new Map<string, { run: OnDisk; kept: Buffer; tail: Buffer }>();
  let stderr = "";

  beforeAll(async () => {
    for (const [file, name] of rows) {
      const run = crashedCopy(here, whole);
      const lines = linesOf(run.paths[file]);
      const tail = tails[name]?.(lines[1] ?? Buffer.alloc(0)) ?? Buffer.alloc(0);
      const kept = lines[0] ?? Buffer.alloc(0);
      writeFileSync(run.paths[file], Buffer.concat([kept, tail]));
      writeFileSync(`${run.paths.manifest}.tmp-0123456789abcdef`, '{"secrets":{"fingerprints":');
      writeFileSync(`${run.paths.meta}.tmp-0123456789abcdef`, "{");
      torn.set(`${file} ${name}`, { run, kept, tail });
    }
    const done = await here.harness(["sessions", "list"]);
    expect(done.code).toBe(0);
    stderr = done.stderr;
  });

  test.each(rows)("%s, %s: completed or set aside, reported and recorded", async (file, name) => {
    const { run, kept, tail } = torn.get(`${file} ${name}`) ?? { run: whole, kept: Buffer.alloc(0), tail: Buffer.alloc(0) };
    const { repairs = [] } = await expectSealed(run.paths.directory);
    const said = stderr.split("\n").filter((line) => line.includes(run.manifest.id));
    expect(said).toHaveLength(1);
    for (const repair of repairs) expect(said[0]).toContain(repair);
    expect(leftovers(run.paths.directory)).toEqual([]);
    expect(existsSync(`${run.paths.meta}.tmp-0123456789abcdef`)).toBe(false);

    const path = run.paths[file];
    const aside = `${path}.torn-${kept.length}`;
    const isPrefix = readFileSync(path).subarray(kept.length).indexOf(tail) === 0;
    const isCompleted = name === "complete, except for its newline" || (isPrefix && file !== "records");
    expect(existsSync(aside)).toBe(!isCompleted);
    if (!isCompleted) expect(readFileSync(aside)).toEqual(tail);
    const repair = isCompleted
      ? file === "records"
        ? "the last record lacked its newline"
        : `${basename(path)} ended in the middle of a line, at byte ${kept.length + tail.length}, and has been completed`
      : `${basename(path)} was torn or damaged at byte ${kept.length}; the rest was moved to ${basename(aside)}`;
    expect(repairs).toContain(repair);
  });

  test("the agent's output is untouched", () => {
    for (const { run } of torn.values()) expect(onDisk(run.paths.directory)).toMatchObject({ raw: whole.raw, stderr: whole.stderr });
  });

  test("reports recorded output that is partly or completely gone; verify finds it, too", async () => {
    const [short, missing] = [crashedCopy(here, whole), crashedCopy(here, whole)];
    truncateSync(short.paths.stdout, 5);
    rmSync(missing.paths.stdout);
    await here.harness(["sessions", "list"]);
    const sealed = [short, missing].map(({ paths }) => onDisk(paths.directory).manifest.sealed?.repairs);
    expect(sealed[0]).toContain(`raw.jsonl has 5 bytes; ${Buffer.byteLength(whole.raw)} were recorded, and the rest is lost`);
    expect(sealed[1]).toContain("raw.jsonl was missing: what the agent printed there is lost");
    for (const { paths } of [short, missing]) expect((await flawsOf(paths.directory))[0]?.file).toMatch(/^(raw|records)\.jsonl$/);
  });

  test("masks, shows and reports output after the recorded end", async () => {
    const key = "sesame-open-42";
    const secrets = { names: ["KEY"], fingerprints: fingerprintsOf(secretForms([key])) };
    const run = crashedCopy(here, whole, (manifest) => ({ ...manifest, secrets }));
    appendFileSync(run.paths.stderr, `late ${key}\n`);
    await here.harness(["sessions", "list"]);
    const { repairs, masked } = await expectSealed(run.paths.directory);
    expect(repairs).toContain("20 bytes of stderr.log were written after the agent's end");
    expect(masked).toBe(1);
    expect(onDisk(run.paths.directory).stderr).toBe(`${whole.stderr}late ${"*".repeat(14)}\n`);
    expect(textOf(run.paths.events)).toContain("late ****");
  });

  test("a repair that is killed at its Nth change is repeated; nothing it set aside is lost or unreported", async () => {
    const calls = await repairWith(spoiled(), {});
    expect(calls.length).toBeGreaterThan(30);
    const numbers = calls.map((_, i) => i + 1);
    const moments = sample(numbers, 12).map((at, i) => ({ run: spoiled(), fault: { at, how: i % 2 === 0 ? "torn" : "kill" } }));
    await inParallel(4, moments, async ({ run, fault }) => void (await repairWith(run, fault)));
    const again = await here.harness(["sessions", "list"]);
    expect(again.code).toBe(0);
    for (const {
      run: { paths },
    } of moments) {
      const { repairs = [] } = await expectSealed(paths.directory);
      const asides = readdirSync(paths.directory).filter((name) => name.includes(".torn-"));
      expect(asides.length).toBeGreaterThan(1);
      for (const name of asides) expect(repairs.filter((repair) => repair.endsWith(` ${name}`))).toHaveLength(1);
      expect(onDisk(paths.directory).raw).toBe(whole.raw);
    }
  });
});

/** A run with torn records and a damaged view. */
function spoiled(): OnDisk {
  const run = crashedCopy(here, whole);
  const [record] = linesOf(run.paths.records);
  const [event] = linesOf(run.paths.events);
  writeFileSync(run.paths.records, `${record}{"seq":2,"ty`);
  writeFileSync(run.paths.events, `${event}${"\0".repeat(100)}`);
  return run;
}

/** Opens the run, which repairs it. Returns the changes this took, or none if it was killed. */
async function repairWith({ manifest, paths }: OnDisk, fault: object): Promise<readonly string[]> {
  const calls = `${paths.directory}.calls`;
  const env = { FAULT: JSON.stringify(fault), FAULT_CALLS: calls };
  await here.harness(["sessions", "show", manifest.id], { node: ["--import", FAULTS], env });
  return existsSync(calls) ? JSON.parse(readFileSync(calls, "utf8")) : [];
}
