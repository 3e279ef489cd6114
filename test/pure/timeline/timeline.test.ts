import { describe, expect, test } from "vitest";
import type { View } from "../../../src/pure/pipeline/view.ts";
import { eventsOfLog } from "../../../src/pure/timeline/events-of-log.ts";
import { pageLog } from "../../../src/pure/timeline/page-log.ts";
import { timeline } from "../../../src/pure/timeline/timeline.ts";
import { kinds, OTHER_KIND, ROW_BYTES, readRow, writeRow } from "../../../src/pure/timeline/timeline-row.ts";
import { type LogRecord, log } from "../../../src/pure/views/log/view.ts";
import { views } from "../../../src/pure/views/views.ts";
import { loadFixtures, replay } from "../../support/fixtures.ts";

/** What the page makes of a log is what everybody else makes of the bytes. */

const fixtures = loadFixtures();

function throughJson(records: readonly LogRecord[]): readonly LogRecord[] {
  return records.map((record) => JSON.parse(JSON.stringify(record)) as LogRecord);
}

const others = Object.values(views).filter(({ id }) => id !== "log") as readonly View[];

test.each(others)("$id, made of the log, is what derive prints: every fixture", (wanted) => {
  const evaluated = { id: "case" };
  for (const fixture of fixtures) {
    const eventOf = eventsOfLog();
    const view = wanted.open({ reasoning: true, evaluated });
    const made = throughJson(replay(fixture, pageLog)).flatMap((record) => view.push(eventOf(record)));
    const all = [...made, ...view.end()].map((record) => JSON.stringify(record));
    expect(all, fixture.name).toEqual(replay(fixture, wanted, { reasoning: true, evaluated }).map((record) => JSON.stringify(record)));
  }
});

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

  test("times before the first and beyond every measure fit", () => {
    const view = new DataView(new ArrayBuffer(ROW_BYTES));
    writeRow(view, 0, { ms: -5, link: 2 ** 40, bytes: 2 ** 40, lane: 2 ** 20, kind: 3, flags: 1 });
    expect(readRow(view, 0)).toEqual({ ms: 0, link: 0xffff_ffff, bytes: 0xffff_ffff, lane: 0xffff, kind: 3, flags: 1 });
  });
});
