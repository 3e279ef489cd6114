import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { completeView } from "../../../../src/host/recording/write/complete-view.ts";
import { recorded } from "../../../../src/host/sink/index.ts";

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "harness-view-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const line = fc.string({ unit: fc.constantFrom("a", "b", "é", "🙂"), maxLength: 6 }).map((text) => `${text}\n`);
const lines = fc.array(line, { maxLength: 12 });

/** Writes the lines in pieces of this size. */
function completed(path: string, wanted: readonly string[], piece: number) {
  const file = completeView(path);
  for (let i = 0; i < wanted.length; i += piece) file.write(recorded(wanted.slice(i, i + piece).join("")));
  const end = file.end();
  file.close();
  return end;
}

describe("completeView", () => {
  test("whatever was there: the file ends up right, and wrong contents are kept next to it", () => {
    let number = 0;
    const spoilt = fc.oneof(fc.nat(80), fc.uint8Array({ maxLength: 40 }));
    fc.assert(
      fc.property(lines, spoilt, fc.uint8Array({ maxLength: 20 }), fc.integer({ min: 1, max: 5 }), (wanted, start, tail, piece) => {
        const path = join(folder, `${++number}.jsonl`);
        const whole = Buffer.from(wanted.join(""));
        const before = Buffer.concat([typeof start === "number" ? whole.subarray(0, start) : start, tail]);
        writeFileSync(path, before);
        const { seal, repairs } = completed(path, wanted, piece);
        expect(readFileSync(path)).toEqual(whole);
        expect(seal.bytes).toBe(whole.length);
        rmSync(path);
        const asides = readdirSync(folder).filter((name) => name.startsWith(`${basename(path)}.torn-`));
        if (whole.subarray(0, before.length).equals(before)) {
          expect(asides).toEqual([]);
          expect(repairs.length).toBe(before.length < whole.length && before.length > 0 && before.at(-1) !== 10 ? 1 : 0);
        } else {
          const [aside = ""] = asides;
          const at = Number(aside.slice(aside.lastIndexOf("-") + 1));
          expect(asides).toHaveLength(1);
          expect(Buffer.concat([whole.subarray(0, at), readFileSync(join(folder, aside))])).toEqual(before);
          expect(at === 0 || whole[at - 1] === 10).toBe(true);
          rmSync(join(folder, aside));
          expect(repairs).toEqual([`${basename(path)} was torn or damaged at byte ${at}; the rest was moved to ${aside}`]);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("creates a missing file; a second time there is nothing to do", () => {
    const path = join(folder, "missing.jsonl");
    expect(completed(path, ["a\n", "b\n"], 1).repairs).toEqual(["missing.jsonl was missing and has been rebuilt"]);
    expect(completed(path, ["a\n", "b\n"], 2)).toMatchObject({ repairs: [], seal: { bytes: 4 } });
  });

  test("does not overwrite what was set aside before", () => {
    const path = join(folder, "twice.jsonl");
    for (const text of ["x\n", "y\n"]) {
      writeFileSync(path, text);
      completed(path, ["a\n"], 1);
    }
    const asides = ["twice.jsonl.torn-0", "twice.jsonl.torn-0-2"];
    expect(asides.map((name) => readFileSync(join(folder, name), "utf8"))).toEqual(["x\n", "y\n"]);
  });

  test("does not follow a link", () => {
    writeFileSync(join(folder, "target"), "untouched");
    symlinkSync(join(folder, "target"), join(folder, "link.jsonl"));
    expect(() => completeView(join(folder, "link.jsonl"))).toThrow("it is a symbolic link");
    expect(readFileSync(join(folder, "target"), "utf8")).toBe("untouched");
  });
});
