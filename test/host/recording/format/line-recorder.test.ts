import { createHash } from "node:crypto";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decode } from "../../../../src/host/recording/derive/decode.ts";
import { lineRecorder } from "../../../../src/host/recording/format/line-recorder.ts";
import { CHAIN_START, isLinked, recordChain } from "../../../../src/host/recording/format/record-chain.ts";
import { recordLines } from "../../../../src/host/recording/format/record-lines.ts";
import { storedRecordOf } from "../../../../src/host/recording/format/stored-record.ts";
import { lineSplitter } from "../../../../src/pure/pipeline/line-splitter.ts";
import { jsonLines } from "../../../support/place.ts";

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "harness-lines-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bytes = fc.array(fc.constantFrom(10, 13, 97, 195, 169, 0), { maxLength: 60 }).map((all) => Buffer.from(all));

function recordedBy(how: Parameters<typeof lineRecorder>[2], all: Buffer, cuts: readonly number[]) {
  const lines = lineRecorder(recordChain(), "stdout", how);
  const places = [0, ...cuts.map((cut) => cut % (all.length + 1)).sort((a, b) => a - b), all.length];
  const parts = [...places.slice(1).map((end, i) => lines.bytes(all.subarray(places[i], end), 7)), lines.end(7)];
  return { lines: parts.flatMap((part) => part.lines), records: parts.map((part) => part.records).join("") };
}

function recorded(all: Buffer, cuts: readonly number[]): string {
  return recordedBy({ decode }, all, cuts).records;
}

describe("lineRecorder", () => {
  test("any chunking gives the same records: each byte in one record, each chained to the one before", () => {
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(), { maxLength: 8 }), (all, cuts) => {
        const text = recorded(all, cuts);
        expect(text).toBe(recorded(all, []));
        let end = 0;
        let head = CHAIN_START;
        for (const line of text.split("\n").slice(0, -1)) {
          const record = storedRecordOf(line);
          if (record?.type !== "line") throw new Error(line);
          expect(record.offset).toBe(end);
          const part = all.subarray(record.offset, record.offset + record.length);
          expect(part.includes(10)).toBe(false);
          expect(isLinked(line, createHash("sha256").update(part), head)).toBe(true);
          end += record.length + (record.unterminated ? 0 : 1);
          head = record.hash;
        }
        expect(end).toBe(all.length);
      }),
    );
  });

  test("records exactly the lines it translates, also when found after a crash", () => {
    const placesOf = (records: string) => jsonLines(records).map(({ offset, length, unterminated }) => ({ offset, length, unterminated }));
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(), { maxLength: 4 }), (all, cuts) => {
        const { lines, records } = recordedBy({ decode }, all, cuts);
        const splitter = lineSplitter(decode);
        expect(lines).toEqual([...splitter.push(all), ...splitter.end()]);
        const places = lines.map(({ offset, length, terminated }) => ({ offset, length, unterminated: terminated ? undefined : true }));
        expect(placesOf(records)).toEqual(places);
        expect(placesOf(recordedBy({ from: { offset: 0, masked: 0 } }, all, cuts).records)).toEqual(places);
      }),
    );
  });

  test("continues where another recorder stopped, and says so; reports the masked count once", () => {
    const chain = recordChain({ seq: 4, hash: CHAIN_START });
    const lines = lineRecorder(chain, "stderr", { from: { offset: 100, masked: 2 } });
    const parts = [lines.bytes(Buffer.from("ab\ncd\n"), 7, 2), lines.bytes(Buffer.from("e\nf"), 8, 5), lines.end(9)];
    const records = parts.map((part) => part.records).join("");
    const all = records
      .split("\n")
      .slice(0, -1)
      .map((line) => storedRecordOf(line));
    const common = { type: "line", stream: "stderr", recovered: true, hash: expect.any(String) };
    expect(all).toEqual([
      { ...common, seq: 5, at: 7, offset: 100, length: 2 },
      { ...common, seq: 6, at: 7, offset: 103, length: 2 },
      { ...common, seq: 7, at: 8, offset: 106, length: 1, masked: 5 },
      { ...common, seq: 8, at: 9, offset: 108, length: 1, unterminated: true },
    ]);
    expect(lines.offset).toBe(109);
  });
});

describe("isLinked", () => {
  test("nothing may follow the hash: it would not be protected", () => {
    const text = recordChain().add({ type: "line", at: 1, stream: "stdout", offset: 0, length: 0 }).slice(0, -1);
    const isRight = (line: string) => isLinked(line, createHash("sha256"), CHAIN_START);
    expect(isRight(text)).toBe(true);
    for (const other of [`${text.slice(0, -1)},"at":2}`, `${text} `, ` ${text}`, text.replace('"at":1', '"at":2'), "", "{}"])
      expect(isRight(other), other).toBe(false);
  });
});

describe("storedRecordOf", () => {
  const line = { seq: 1, type: "line", at: 1, stream: "stdout", offset: 0, length: 1, hash: "" };
  const exit = { seq: 1, type: "exit", at: 1, exitCode: 0, signal: null, durationMs: 1, hash: "" };
  const notice = { type: "error", code: "c", message: "m" };
  const decision = { type: "permission-decision", decision: "deny", callId: "c", reason: "r" };
  const fact = (body: object) => ({ seq: 1, type: "fact", at: 1, body, hash: "" });

  test.each([line, exit, fact(notice), fact(decision), { ...exit, stopped: "timeout" }, { ...line, masked: 1, unterminated: true }])(
    "%j is one",
    (record) => {
      expect(storedRecordOf(JSON.stringify(record))).toEqual(record);
    },
  );

  test.each([
    [],
    null,
    {},
    { ...line, seq: -1 },
    { ...line, at: 1e300 },
    { ...line, at: "1" },
    { ...line, stream: "stdin" },
    { ...line, offset: 0.5 },
    { ...line, type: "run-end" },
    { ...exit, stopped: "__proto__" },
    { ...exit, exitCode: "0" },
    { ...exit, durationMs: -1 },
    fact({ ...notice, type: "run-end" }),
    fact({ ...notice, from: [] }),
    fact({ ...decision, decision: "maybe" }),
    fact({ ...decision, callId: 1 }),
    { ...fact(notice), truncation: { stream: "stdout" } },
  ])("%j is not a record", (value) => {
    expect(storedRecordOf(JSON.stringify(value))).toBeUndefined();
  });
});

describe("recordLines", () => {
  test("yields complete lines only; a torn line is read in its replaced form", () => {
    const path = join(folder, "records");
    writeFileSync(path, "one\ntwo\nthr");
    const fd = openSync(path, "r");
    const lines = recordLines(fd, decode);
    const more = () => [...lines.more()].flatMap((texts) => [...texts]);
    expect(more()).toEqual([
      { text: "one", offset: 0, end: 4 },
      { text: "two", offset: 4, end: 8 },
    ]);
    expect([lines.offset, lines.torn]).toEqual([8, 3]);
    writeFileSync(path, "one\ntwo\n3\nfour\n");
    expect(more().map(({ text }) => text)).toEqual(["3", "four"]);
    expect([lines.offset, lines.torn]).toEqual([15, 0]);
    closeSync(fd);
  });

  test("skips a line that is far too long, and reads what follows", () => {
    const path = join(folder, "long");
    const long = 65 * 1024 * 1024;
    writeFileSync(path, `a\n${"x".repeat(600_000)}\n${"x".repeat(long)}\nb\n`);
    const fd = openSync(path, "r");
    const lines = recordLines(fd, decode);
    const found = [...lines.more()].flatMap((texts) => [...texts]);
    expect(found.map(({ text, ...place }) => ({ length: text.length, ...place }))).toEqual([
      { length: 1, offset: 0, end: 2 },
      { length: 600_000, offset: 2, end: 600_003 },
      { length: 0, offset: 600_003, end: 600_004 + long },
      { length: 1, offset: 600_004 + long, end: 600_006 + long },
    ]);
    closeSync(fd);
  });
});
