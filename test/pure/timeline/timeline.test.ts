import { describe, expect, test } from "vitest";
import { timeline } from "../../../src/pure/timeline/timeline.ts";
import { kinds, ROW_BYTES, readRow, writeRow } from "../../../src/pure/timeline/timeline-row.ts";
import { log } from "../../../src/pure/views/log/view.ts";
import { loadFixtures, replay } from "../../support/fixtures.ts";

const fixtures = loadFixtures();

describe("rows", () => {
  test("every event of every fixture has a row with its kind, and ends link to their starts", () => {
    for (const fixture of fixtures) {
      const all = timeline();
      const records = replay(fixture, log);
      const view = new DataView(new ArrayBuffer(ROW_BYTES));
      const rows = records.map((record) => {
        writeRow(view, 0, all.row(record, 7));
        const { kind, link, lane, bytes } = readRow(view, 0);
        return { kind: kinds[kind], bytes, parent: all.lanes[lane]?.id ?? undefined, start: record.type === "tool-end" ? link : 0 };
      });
      expect(rows.map(({ kind, bytes, parent }) => ({ kind, bytes, parent }))).toEqual(
        records.map(({ type, parent }) => ({ kind: type, bytes: 7, parent })),
      );
      for (const [i, { start }] of rows.entries()) {
        const { callId } = records[i] as { callId?: string };
        if (start > 0) expect(records[start - 1]).toMatchObject({ type: "tool-start", callId });
      }
    }
  });

  test("in part of a run, no link leads to a missing event", () => {
    for (const fixture of fixtures) {
      const records = replay(fixture, log);
      const first = records.findIndex(({ type }) => type === "tool-start") + 1;
      const all = timeline();
      for (const record of records.slice(first)) {
        const { link } = all.row(record, 7);
        if (link !== 0 && link <= first) expect.fail(`${fixture.name}: ${record.type} leads to ${link}`);
      }
    }
  });

  test("times before the first event and beyond the range fit", () => {
    const view = new DataView(new ArrayBuffer(ROW_BYTES));
    writeRow(view, 0, { ms: -5, link: 2 ** 40, bytes: 2 ** 40, lane: 2 ** 20, kind: 3, flags: 1 });
    expect(readRow(view, 0)).toEqual({ ms: 0, link: 0xffff_ffff, bytes: 0xffff_ffff, lane: 0xffff, kind: 3, flags: 1 });
  });
});
