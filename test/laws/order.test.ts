import { describe, expect, test } from "vitest";
import { log } from "../../src/pure/views/log/view.ts";
import { trajectory } from "../../src/pure/views/trajectory/view.ts";
import { loadFixtures, replay } from "../support/fixtures.ts";
import { joinedAcross, outOfOrder, twice } from "../support/order.ts";

/** What happened first is reported first: live views follow the last bytes of their records, whole-run views the beginnings of their steps. */

describe.each(loadFixtures())("$name", (fixture) => {
  test("ends are in order", () => {
    const events = replay(fixture, log);
    expect(outOfOrder(events)).toEqual([]);
    if (!fixture.name.endsWith("-json")) expect(joinedAcross(events)).toEqual([]); // a document is complete with its last line
    expect(twice(events)).toEqual([]);
  });

  test("beginnings are in order", () => {
    const times = replay(fixture, trajectory).map(({ timestamp }) => timestamp);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });
});
