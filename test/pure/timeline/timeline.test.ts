import { describe, expect, test } from "vitest";
import { timeline } from "../../../src/pure/timeline/timeline.ts";
import { kinds, OTHER_KIND, ROW_BYTES, readRow, writeRow } from "../../../src/pure/timeline/timeline-row.ts";
import { log } from "../../../src/pure/views/log/view.ts";
import { loadFixtures, replay } from "../../support/fixtures.ts";

const fixtures = loadFixtures();

describe("rows", () => {
  test("every event of every fixture has one that says what it is, and ends lead to their starts", () => {
    for (const fixture of fixtures) {
      const all = timeline();
      const records = replay(fixture, log);
      const view = new DataView(new ArrayBuffer(ROW_BYTES));
      for (const record of records) {
        writeRow(view, 0, all.row(record, 7));
        const { kind, link, lane, bytes } = readRow(view, 0);
        expect(kind, record.type).not.toBe(OTHER_KIND);
        expect(kinds[kind]).toBe(record.type);
        expect(bytes).toBe(7);
        expect(all.lanes[lane]?.id ?? undefined).toBe(record.parent);
        if (record.type !== "tool-end" || link === 0) continue;
        expect(records[link - 1]).toMatchObject({ type: "tool-start", callId: record.callId });
      }
    }
  });

  test("in a part of a run, nothing leads to what is not there", () => {
    for (const fixture of fixtures) {
      const records = replay(fixture, log);
      const first = records.findIndex(({ type }) => type === "tool-start") + 1;
      const all = timeline();
      for (const record of records.slice(first)) {
        const { link } = all.row(record, 7);
        if (link !== 0) expect(link).toBeGreaterThan(first);
      }
    }
  });

  test("times before the first and beyond every measure fit", () => {
    const view = new DataView(new ArrayBuffer(ROW_BYTES));
    writeRow(view, 0, { ms: -5, link: 2 ** 40, bytes: 2 ** 40, lane: 2 ** 20, kind: 3, flags: 1 });
    expect(readRow(view, 0)).toEqual({ ms: 0, link: 0xffff_ffff, bytes: 0xffff_ffff, lane: 0xffff, kind: 3, flags: 1 });
  });
});
