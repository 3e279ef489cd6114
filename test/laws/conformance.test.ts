import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decode } from "../../src/host/recording/derive/decode.ts";
import type { LogRecord } from "../../src/pure/events/index.ts";
import type { Agent } from "../../src/pure/pipeline/agent.ts";
import { pipeline } from "../../src/pure/pipeline/pipeline.ts";
import { log } from "../../src/pure/views/log/view.ts";
import { views } from "../../src/pure/views/views.ts";
import { everyView } from "../support/every-view.ts";
import { expectSame } from "../support/expect-same.ts";
import { EPOCH, feed, linesOf, loadFixtures, replay } from "../support/fixtures.ts";
import { runs } from "../support/full.ts";

const fixtures = loadFixtures();

/** What an event says, without its position; its call is replaced by the event that began it. */
function meaning(event: LogRecord, _: number, all: readonly LogRecord[]): string {
  const { seq, at, from, call, ...body } = withoutTail(event);
  const begun = call && [call.start, ...(call.rivals ?? [])].map((start) => all[start - 1]).map((each) => each && { ...each, ...PLACE });
  return JSON.stringify({ ...body, begun, orchestrated: call?.orchestrated });
}

/** What was said, the parts of a message joined, and everything else, each in its order. */
function folded(all: readonly LogRecord[], except?: LogRecord): { readonly others: readonly string[]; readonly texts: readonly string[] } {
  const others: string[] = [];
  const texts: { readonly key: string; readonly messageId: string | undefined; text: string }[] = [];
  for (const [i, event] of all.entries()) {
    if (event === except || event.type === "run-end" || event.rule === "failed-without-error") continue; // it may be all that happened
    if (event.type !== "message" && event.type !== "reasoning") others.push(meaning(event, i, all));
    else {
      const key = JSON.stringify([event.type, event.parent, event.type === "message" ? event.role : ""]);
      const last = event.continues ? texts.findLast((each) => each.key === key) : undefined;
      if (last === undefined) texts.push({ key, messageId: "messageId" in event ? event.messageId : undefined, text: event.text });
      else last.text += event.text;
    }
  }
  return { others, texts: texts.map(({ text, ...each }) => JSON.stringify({ ...each, text: text.trimStart() })).sort() }; // a blank line belongs to the next text
}

const PLACE = { seq: 0, at: 0, from: [] };

const TIMES = runs(5, 20);

function atRandom(check: (pick: (below: number) => number) => void): void {
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
      check((below) => (below <= 0 ? 0 : (numbers.next().value ?? 0) % below));
    }),
    { numRuns: TIMES },
  );
}

describe.each(fixtures)(`$name, each law ${TIMES} times`, (fixture) => {
  const lines = linesOf(fixture.raw);
  const whole = feed(fixture.agent, log, [fixture.raw]);

  test("is deterministic", () => {
    expectSame(replay(fixture, everyView), replay(fixture, everyView));
  });

  test("never retracts: a prefix of the input gives a prefix of the output", () => {
    const all = said(fixture.agent, lines);
    atRandom((pick) => {
      const some = said(fixture.agent, lines.slice(0, pick(lines.length + 1)));
      expectSame(some, all.slice(0, some.length));
    });
  });

  test("is lossless: an unreadable line adds exactly one unknown, and the text of each message stays the same", () => {
    const before = folded(whole);
    atRandom((pick) => {
      const cut = pick(lines.length + (lines.at(-1)?.at(-1) === 0x0a ? 1 : 0)); // never after an unfinished line
      const noise = Buffer.from(pick(2) === 0 ? "not json at all\n" : '{"type":"not json at all"}\n');
      const after = feed(fixture.agent, log, [...lines.slice(0, cut), noise, ...lines.slice(cut)]);
      const strangers = after.filter((event) => JSON.stringify(event).includes("not json at all") && event.type !== "run-end");
      expect(strangers).toHaveLength(1);
      const { others, texts } = folded(after, strangers[0]);
      expectSame(others, before.others);
      expectSame(texts, before.texts);
    });
  });

  test("is chunk-proof: any split of the bytes gives the same events", () => {
    atRandom((pick) => {
      const cuts = Array.from({ length: 5 }, () => pick(fixture.raw.length + 1)).sort((a, b) => a - b);
      const pieces = [0, ...cuts].map((start, i) => fixture.raw.subarray(start, cuts[i] ?? fixture.raw.length));
      expectSame(feed(fixture.agent, log, pieces), whole);
    });
    if (fixture.raw.length < 10_000) {
      const bytes = Array.from(fixture.raw, (_, i) => fixture.raw.subarray(i, i + 1));
      expectSame(feed(fixture.agent, log, bytes), whole);
    }
  });

  test("truncation at any byte never throws, and still ends the run", () => {
    atRandom((pick) => {
      const events = feed(fixture.agent, log, [fixture.raw.subarray(0, pick(fixture.raw.length + 1))]);
      expect(events.at(-1)?.type).toBe("run-end");
    });
  });

  test("every tool-end has its tool-start, every tool-start its tool-end", () => {
    const open = new Map<string, number>();
    for (const event of whole) {
      if (event.type === "tool-start") open.set(event.callId, (open.get(event.callId) ?? 0) + 1);
      if (event.type !== "tool-end") continue;
      expect(open.has(event.callId), `tool-end ${event.callId} without a start`).toBe(true);
      open.delete(event.callId);
    }
    expect([...open.keys()]).toEqual([]);
  });

  test("numbers its events 1..n, starts once, ends once, and every byte range lies in the file", () => {
    expect(whole.map(({ seq }) => seq)).toEqual(whole.map((_, i) => i + 1));
    expect(whole.filter(({ type }) => type === "run-start")).toEqual([whole[0]]);
    expect(whole.filter(({ type }) => type === "run-end")).toEqual([whole.at(-1)]);
    for (const { from } of whole) {
      for (const { offset, length } of from) expect(offset + length).toBeLessThanOrEqual(fixture.raw.length);
    }
  });

  test("the stream starts once, ends once, and its deltas concatenate to its messages", () => {
    const records = replay(fixture, views.stream);
    expect(records.filter(({ type }) => type === "SessionStart")).toEqual([records[0]]);
    expect(records.filter(({ type }) => type === "Result")).toEqual([records.at(-1)]);
    const spoken = new Map<string, string>();
    for (const record of records) {
      if (record.type !== "TextDelta" && record.type !== "Message") continue;
      const thread = record.subagent_id ?? "";
      if (record.type === "TextDelta") spoken.set(thread, (spoken.get(thread) ?? "") + record.text);
      else if (record.role === "assistant") {
        const said = spoken.get(thread) ?? "";
        expect(said.startsWith(record.text), `${record.text} follows the deltas ${said}`).toBe(true);
        if (said === record.text) spoken.delete(thread);
        else spoken.set(thread, said.slice(record.text.length)); // of a message that was interrupted, the deltas may be ahead
      }
    }
    expect([...spoken.keys()]).toEqual([]);
  });
});

/** The events of these lines, before anything is closed at the end. */
function said(agent: Agent, lines: readonly Buffer[]): LogRecord[] {
  const line = pipeline(agent, log, { startedAt: EPOCH }, decode);
  return lines.flatMap((bytes) => [...line.bytes("stdout", bytes, EPOCH)]);
}

/** The tail of a run consists of its unreadable lines. */
function withoutTail(event: LogRecord): LogRecord {
  if (event.type !== "run-end") return event;
  const { tail, ...rest } = event;
  return rest;
}
