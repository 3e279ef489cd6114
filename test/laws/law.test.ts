import fc from "fast-check";
import { expect, test } from "vitest";
import { decode } from "../../src/host/recording/derive/decode.ts";
import type { Event } from "../../src/pure/events/event.ts";
import type { LineRecord, RunRecord } from "../../src/pure/events/index.ts";
import { eventLog } from "../../src/pure/pipeline/event-log.ts";
import { lineSplitter } from "../../src/pure/pipeline/line-splitter.ts";
import { pipeline } from "../../src/pure/pipeline/pipeline.ts";
import { views } from "../../src/pure/views/views.ts";
import { everyView, type Printed } from "../support/every-view.ts";
import { expectSame } from "../support/expect-same.ts";
import { EPOCH, type Fixture, loadFixtures } from "../support/fixtures.ts";

/**
 * The law behind the design: live == replayed == re-derived. A view prints the same sequence while the bytes arrive in any pieces, when the
 * records are replayed, and when it is derived from the raw bytes.
 */

interface Arrival {
  readonly bytes: Buffer;
  readonly at: number;
}

/** The raw bytes in arbitrary pieces, each with its arrival time. */
function arrivals(raw: Buffer, cuts: readonly number[]): Arrival[] {
  const points = [0, ...cuts.map((cut) => cut % (raw.length + 1)).sort((a, b) => a - b), raw.length];
  return points.slice(1).map((end, i) => ({ bytes: raw.subarray(points[i], end), at: EPOCH + i * 7 }));
}

const exitOf = ({ exitCode, signal }: Fixture, at: number) => ({ type: "exit" as const, at, exitCode, signal, durationMs: at - EPOCH });

function live(fixture: Fixture, pieces: readonly Arrival[]): Printed[] {
  const line = pipeline(fixture.agent, everyView, { startedAt: EPOCH }, decode);
  const last = pieces.at(-1)?.at ?? EPOCH;
  const out = pieces.flatMap(({ bytes, at }) => [...line.bytes("stdout", bytes, at)]);
  out.push(...line.exit(exitOf(fixture, last)), ...line.end(last));
  return out;
}

/** What a recorder would keep: every line with the time when it was complete. */
function record(fixture: Fixture, pieces: readonly Arrival[]): RunRecord[] {
  const splitter = lineSplitter(decode);
  const last = pieces.at(-1)?.at ?? EPOCH;
  const records: RunRecord[] = pieces.flatMap(({ bytes, at }) =>
    splitter.push(bytes).map((line): LineRecord => ({ type: "line", at, stream: "stdout", line })),
  );
  records.push(...splitter.end().map((line): LineRecord => ({ type: "line", at: last, stream: "stdout", line })));
  return [...records, exitOf(fixture, last)];
}

function replayed(fixture: Fixture, records: readonly RunRecord[]): Printed[] {
  const events: Event[] = [];
  const log = eventLog(fixture.agent, { startedAt: EPOCH }, (event) => events.push(event));
  for (const each of records) log.push(each);
  log.end();
  const projection = everyView.open();
  return [...events.flatMap((event) => [...projection.push(event)]), ...projection.end()];
}

/** From the bytes alone: records are rebuilt from byte ranges and times, and nothing of the live run is used. */
function rederived(fixture: Fixture, records: readonly RunRecord[]): Printed[] {
  const line = pipeline(fixture.agent, everyView, { startedAt: EPOCH }, decode);
  const out: Printed[] = [];
  let last = EPOCH;
  for (const each of records) {
    last = each.at;
    if (each.type === "exit") out.push(...line.exit(each));
    else if (each.type === "line") {
      const { offset, length, terminated } = each.line;
      out.push(...line.bytes("stdout", fixture.raw.subarray(offset, offset + length + (terminated ? 1 : 0)), each.at));
    }
  }
  return [...out, ...line.end(last)];
}

const seen = new Set<string>();

test.each(loadFixtures())("$name: live == replayed == re-derived, in every view", (fixture) => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 12 }), (cuts) => {
      const pieces = arrivals(fixture.raw, cuts);
      const records = record(fixture, pieces);
      const printed = live(fixture, pieces);
      for (const { view } of printed) seen.add(view);
      expectSame(replayed(fixture, records), printed);
      expectSame(rederived(fixture, records), printed);
    }),
    { numRuns: 5 },
  );
});

test("every view printed something", () => {
  expect([...seen].sort()).toEqual(Object.keys(views).sort());
});
