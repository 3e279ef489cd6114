import { lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { digestOf } from "../../../../src/host/recording/format/read-manifest.ts";
import type { RunManifest } from "../../../../src/host/recording/format/run-manifest.ts";
import { sealOfFile } from "../../../../src/host/recording/format/seal-of-file.ts";
import { openRun } from "../../../../src/host/recording/write/open-run.ts";
import { jsonText } from "../../../../src/host/recording/write/run-directory.ts";
import { version } from "../../../../src/pure/base/version.ts";
import { sample } from "../../../support/full.ts";
import { cleanUp, type Place, place } from "../../../support/place.ts";
import { linesOf, sealedCopy } from "./support/crashed.ts";
import { flawsOf, type OnDisk, onDisk } from "./support/recorded.ts";

/** Case 45: a damaged sealed recording. The place is named, what is readable is shown, and nothing is changed. */

const CHATTERS = join(import.meta.dirname, "support/chatters.sh");

let here: Place;
let whole: OnDisk;

afterAll(cleanUp);
beforeAll(async () => {
  here = place();
  await here.run(["--agent", "generic", "--command", `sh ${CHATTERS}`, "--prompt", "Read\nthis."]);
  whole = onDisk(here.recording().directory);
});

const files = ["stdout", "stderr", "records", "events", "session"] as const;
type File = (typeof files)[number];

interface Damaged {
  readonly bytes: Buffer;
  /** From 0: the first line that differs. */
  readonly line: number;
}

/** What can happen to a file; undefined if the file would stay the same. */
const damages: Readonly<Record<string, (lines: readonly Buffer[], a: number, b: number) => Damaged | undefined>> = {
  "a byte is flipped": (lines, a, b) => {
    const bytes = Buffer.concat(lines);
    const at = a % bytes.length;
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (b % 8)), at);
    return { bytes, line: lines.findIndex((_, i) => Buffer.concat(lines.slice(0, i + 1)).length > at) };
  },
  "a line is deleted": (lines, a) => {
    const line = a % lines.length;
    return { bytes: Buffer.concat(lines.filter((_, i) => i !== line)), line };
  },
  "two lines are swapped": (lines, a, b) => {
    const [i, j] = [a % lines.length, b % lines.length].sort((x, y) => x - y) as [number, number];
    if (i === j) return undefined;
    const swapped = [...lines];
    [swapped[i], swapped[j]] = [lines[j] ?? Buffer.alloc(0), lines[i] ?? Buffer.alloc(0)];
    return { bytes: Buffer.concat(swapped), line: i };
  },
  "a line is written twice": (lines, a) => {
    const line = a % lines.length;
    const twice = lines.flatMap((each, i) => (i === line ? [each, each] : [each]));
    return { bytes: Buffer.concat(twice), line: line + 1 };
  },
  "it is cut off": (lines, a) => {
    const all = Buffer.concat(lines);
    const bytes = all.subarray(0, a % all.length);
    return { bytes, line: lines.findIndex((_, i) => Buffer.concat(lines.slice(0, i + 1)).length > bytes.length) };
  },
};

const rows = files.flatMap((file) => Object.keys(damages).map((damage) => [file, damage] as const));

function damaged(file: File, how: string, a: number, b: number) {
  const lines = linesOf(whole.paths[file]);
  const change = damages[how]?.(lines, a, b);
  const start = Buffer.concat(lines.slice(0, change?.line ?? 0)).length;
  return change === undefined ? undefined : { ...change, offset: start };
}

describe("case 45: verify names the place", () => {
  test("an untouched recording has no flaws", async () => {
    expect(await flawsOf(whole.paths.directory)).toEqual([]);
    for (const file of files) expect(linesOf(whole.paths[file]).length).toBeGreaterThan(3);
  });

  test.each(sample(rows, 12))("%s: %s", async (file, how) => {
    const there = place();
    const copy = sealedCopy(there, whole);
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), async (a, b) => {
        const change = damaged(file, how, a, b);
        fc.pre(change !== undefined);
        writeFileSync(copy.paths[file], change?.bytes ?? "");
        const [flaw] = await flawsOf(copy.paths.directory);
        const place = { file: basename(copy.paths[file]), line: (change?.line ?? 0) + 1, offset: change?.offset };
        expect(flaw).toMatchObject(place);
      }),
      { numRuns: 12 },
    );
  });

  test.each(["prompt", "manifest", "meta"] as const)("%s: any changed byte", async (file) => {
    const there = place();
    const copy = sealedCopy(there, whole);
    const original = readFileSync(copy.paths[file]);
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 0, max: 7 }), async (a, bit) => {
        const bytes = Buffer.from(original);
        const at = a % bytes.length;
        fc.pre(!/\s/.test(String.fromCharCode(bytes.readUInt8(at))) || file !== "manifest"); // its format is free
        bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
        writeFileSync(copy.paths[file], bytes);
        const flaws = await flawsOf(copy.paths.directory).catch((error: unknown) => [{ file: "run.json", problem: String(error) }]);
        expect(flaws.map((flaw) => flaw.file)).toContain(basename(copy.paths[file]));
        for (const { problem } of flaws) expect(problem).not.toMatch(/TypeError|RangeError|SyntaxError/);
      }),
      { numRuns: 150 },
    );
  });

  test("a missing seal or digest is a flaw, and no reason to finish the run again", async () => {
    const { paths } = sealedCopy(place(), whole);
    const text = readFileSync(paths.manifest, "utf8");
    writeFileSync(paths.manifest, text.replace('"digest"', '"dagest"'));
    expect(await flawsOf(paths.directory)).toEqual([{ file: "run.json", problem: "it is not what was sealed" }]);
    writeFileSync(paths.manifest, text.replace('"sealed"', '"sealet"'));
    await expect(openRun(paths.directory)).rejects.toThrow("run.json is damaged");
  });

  test.each([...files, "prompt", "meta"] as const)("%s is missing", async (file) => {
    const there = place();
    const copy = sealedCopy(there, whole);
    rmSync(copy.paths[file]);
    expect(await flawsOf(copy.paths.directory)).toContainEqual({ file: basename(copy.paths[file]), problem: "it is missing" });
  });
});

describe("S11: what does not belong to a run", () => {
  test.each(["notes.txt", "raw.jsonl.replaced", "records.jsonl.torn-12", ".hidden", "lock.1-0123456789abcdef-0"])(
    "%s in its directory is a flaw",
    async (name) => {
      const { paths } = sealedCopy(place(), whole);
      writeFileSync(join(paths.directory, name), "x");
      expect(await flawsOf(paths.directory)).toEqual([{ file: name, problem: "it does not belong to the run: it was not sealed" }]);
    },
  );

  test("a file among the artifacts of a run without any is a flaw", async () => {
    const { paths } = sealedCopy(place(), whole);
    writeFileSync(join(paths.artifacts, "extra"), "x");
    expect(await flawsOf(paths.directory)).toEqual([{ file: "artifacts/extra", problem: "it was not sealed: it was added later" }]);
  });
});

describe("a run of a different version", () => {
  test.each([version, "0.0.0"])("recorded by %s: views that this version would write differently", async (recorded) => {
    const { paths, manifest } = sealedCopy(place(), whole);
    writeFileSync(paths.events, '{"type":"of another time"}\n');
    const files = { ...manifest.sealed?.files, "events.jsonl": sealOfFile(paths.events) };
    const sealed = { ...manifest, recorder: { ...manifest.recorder, version: recorded }, sealed: { ...manifest.sealed, files } };
    const { digest: _, ...described } = sealed as RunManifest;
    writeFileSync(paths.manifest, jsonText({ ...described, digest: digestOf(described) }));
    const flaw = { file: "events.jsonl", line: 1, offset: 0, problem: "this does not match the run's bytes" };
    expect(await flawsOf(paths.directory)).toEqual(recorded === version ? [flaw] : []);
  });
});

describe("case 45: the command line", () => {
  const one = (file: File) => damaged(file, "a line is deleted", 2, 0);

  test.each(files)("%s: exit code 1 and the place; the rest is shown, with at most one warning; nothing is repaired", async (file) => {
    const there = place();
    const copy = sealedCopy(there, whole);
    const change = one(file);
    writeFileSync(copy.paths[file], change?.bytes ?? "");
    const before = fingerprint(there.root);
    const [verify, derive, replay, list, show] = await Promise.all([
      there.harness(["sessions", "verify", "last"]),
      there.harness(["derive", "last", "--view", "stream"]),
      there.harness(["replay", "last", "--speed", "max"]),
      there.harness(["sessions", "list"]),
      there.harness(["sessions", "show", "last"]),
    ]);
    expect(verify.code).toBe(1);
    const place3 = { file: basename(copy.paths[file]), line: 3, offset: change?.offset };
    expect(JSON.parse(verify.stdout)).toMatchObject({ ok: false, flaws: expect.arrayContaining([expect.objectContaining(place3)]) });
    const isSource = file === "stdout" || file === "stderr" || file === "records";
    for (const { code, stderr, stdout } of [derive, replay]) {
      expect(code).toBe(0);
      expect(stderr).toMatch(isSource ? /^harness: .*damaged.*\n$/ : /^$/);
      expect(stdout).toContain("SessionStart");
      expect(stdout).toContain('"status":"completed"');
      expect(stdout).toContain("line 9");
    }
    expect([list.code, show.code, list.stderr, show.stderr]).toEqual([0, 0, "", ""]);
    expect(fingerprint(there.root)).toEqual(before);
  });
});

/** Names, sizes, times and contents. */
function fingerprint(root: string): Record<string, unknown> {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(
    names.map((name) => {
      const path = join(root, name);
      const stats = lstatSync(path);
      return [name, [stats.mtimeMs, stats.ctimeMs, stats.size, stats.isFile() ? readFileSync(path, "base64") : ""]];
    }),
  );
}
