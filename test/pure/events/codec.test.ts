import fc from "fast-check";
import { expect, test } from "vitest";
import { eventReader, type LogRecord, recordOf } from "../../../src/pure/events/codec.ts";
import type { Event, EventBody } from "../../../src/pure/events/event.ts";
import type { Agent } from "../../../src/pure/pipeline/agent.ts";
import { eventLog } from "../../../src/pure/pipeline/event-log.ts";
import type { View } from "../../../src/pure/pipeline/view.ts";
import { log } from "../../../src/pure/views/log/view.ts";
import { views } from "../../../src/pure/views/views.ts";
import { EPOCH, loadFixtures, replay } from "../../support/fixtures.ts";

/** A `log` record holds everything an event holds. */

const fixtures = loadFixtures();

function throughJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

test("log → event → log is the identity: every fixture", () => {
  for (const fixture of fixtures) {
    const eventOf = eventReader();
    for (const record of throughJson(replay(fixture, log))) expect(recordOf(eventOf(record)), fixture.name).toEqual(record);
  }
});

test("the fixtures contain each kind of call", () => {
  const records = fixtures.flatMap((fixture) => replay(fixture, log));
  expect(records.some(({ call }) => call?.rivals !== undefined)).toBe(true);
  expect(records.some(({ call }) => call?.orchestrated)).toBe(true);
  expect(records.some(({ said }) => said !== undefined)).toBe(true);
});

const others = Object.values(views).filter(({ id }) => id !== "log") as readonly View[];

test.each(others)("$id, built from the log, equals the derivation: every fixture", (wanted) => {
  const evaluated = { id: "case" };
  for (const fixture of fixtures) {
    const eventOf = eventReader();
    const view = wanted.open({ reasoning: true, evaluated });
    const made = throughJson(replay(fixture, log)).flatMap((record) => view.push(eventOf(record)));
    const all = [...made, ...view.end()].map((record) => JSON.stringify(record));
    expect(all, fixture.name).toEqual(replay(fixture, wanted, { reasoning: true, evaluated }).map((record) => JSON.stringify(record)));
  }
});

const callId = fc.constantFrom("a", "b", "__proto__");
const body: fc.Arbitrary<EventBody> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant("tool-start"), callId, tool: fc.constantFrom("x", "y"), input: fc.nat(30) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("tool-end"), callId, success: fc.boolean() }) },
  fc.record({ type: fc.constant("tool-progress"), callId, message: fc.constant("m") }),
  fc.record({ type: fc.constantFrom("subagent-start", "subagent-end"), subagentId: fc.constantFrom("s", "t"), callId }),
  fc.record({ type: fc.constant("permission-decision"), callId, decision: fc.constantFrom("allow", "deny") }),
) as fc.Arbitrary<object> as fc.Arbitrary<EventBody>;

/** The events of a run whose agent prints these bodies, one per line. */
function eventsOf(bodies: readonly EventBody[]): Event[] {
  const events: Event[] = [];
  const agent = {
    id: "toy",
    open: () => ({ push: ({ n }) => [bodies[Number(n)] as EventBody], end: () => [] }),
  } as Partial<Agent> as Agent;
  const all = eventLog(agent, { startedAt: EPOCH }, (event) => events.push(event));
  for (const n of bodies.keys()) {
    const text = JSON.stringify({ n });
    const line = { offset: 8 * n, length: text.length, text, terminated: true, oversize: false };
    all.push({ type: "line", at: EPOCH + n, stream: "stdout", line });
  }
  all.end();
  return events;
}

test("event → log → event is the identity, in whatever order calls begin and end", () => {
  fc.assert(
    fc.property(fc.array(body, { maxLength: 60 }), (bodies) => {
      const events = eventsOf(bodies);
      const eventOf = eventReader();
      const read = events.map((event) => eventOf(throughJson(recordOf(event))));
      expect(throughJson(read)).toEqual(throughJson(events));
      expect(read.map(recordOf)).toEqual(throughJson(events.map(recordOf)) satisfies LogRecord[]);
    }),
    { numRuns: 500 },
  );
});

test("of too many rivals the first are named, and none is kept after the end", () => {
  const starts = Array.from({ length: 40 }, (_, input) => ({ type: "tool-start", callId: "a", tool: "x", input, operations: [] }) as const);
  const events = eventsOf([...starts, { type: "tool-end", callId: "a" }, { type: "tool-end", callId: "a" }]);
  const [end, second] = events.filter(({ body: { type } }) => type === "tool-end").map(recordOf);
  expect(end?.call?.start).toBe(2);
  expect(end?.call?.rivals).toHaveLength(16);
  expect(second?.call).toBeUndefined();
});
