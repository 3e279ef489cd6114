import { describe, expect, test } from "vitest";
import type { LogRecord } from "../../src/pure/events/index.ts";
import { log } from "../../src/pure/views/log/view.ts";
import { trajectory } from "../../src/pure/views/trajectory/view.ts";
import { loadFixtures, replay } from "../support/fixtures.ts";

/** What happened first is reported first: live views follow the last bytes of their records, whole-run views the beginnings of their steps. */

/** The last record that an event came from; undefined for what we concluded or saw ourselves. */
function endOf({ from, provenance }: LogRecord): number | undefined {
  return from.length === 0 || provenance === "derived" ? undefined : Math.max(...from.map(({ record }) => record));
}

function outOfOrder(events: readonly LogRecord[]): readonly string[] {
  let last = 0;
  return events.flatMap((event) => {
    const end = endOf(event);
    if (end === undefined || end >= last) {
      last = end ?? last;
      return [];
    }
    return [`${event.seq} ${event.type} ends in record ${end}, after an event of record ${last}`];
  });
}

describe.each(loadFixtures())("$name", (fixture) => {
  test("ends are in order", () => {
    expect(outOfOrder(replay(fixture, log))).toEqual([]);
  });

  test("beginnings are in order", () => {
    const times = replay(fixture, trajectory).map(({ timestamp }) => timestamp);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });
});
