import { describe, expect, test } from "vitest";
import { decode } from "../../../src/host/recording/derive/decode.ts";
import type { JsonObject } from "../../../src/pure/base/json.ts";
import { parseObject } from "../../../src/pure/base/json.ts";
import { pipeline } from "../../../src/pure/pipeline/pipeline.ts";
import type { Activity } from "../../../src/pure/views/activity/schema.ts";
import { activity } from "../../../src/pure/views/activity/view.ts";
import { result } from "../../../src/pure/views/result/view.ts";
import { events, project } from "../../support/events.ts";
import { EPOCH, type Fixture, loadFixtures } from "../../support/fixtures.ts";

/**
 * Recordings as a different version, a different system or a bad line could have printed them: fields in a different order, new fields,
 * `null` for absent ones, CRLF, a duplicate line, a missing end. The agent's actions must not change, and its run must not look better.
 */

const LONGEST = 200_000;
const fixtures = loadFixtures().filter(({ agent, raw }) => agent.id !== "generic" && raw.length > 0 && raw.length < LONGEST);

interface Read {
  readonly did: readonly object[];
  readonly status: string | null | undefined;
  readonly usage: unknown;
}

/** Reads these lines, with the recorded end. */
function read(fixture: Fixture, lines: readonly string[], end = "\n"): Read {
  const bytes = Buffer.from(lines.map((line) => `${line}${end}`).join(""));
  const log = pipeline(fixture.agent, events, { startedAt: EPOCH, ...fixture.run }, decode);
  const { exitCode, signal } = fixture;
  log.exit({ type: "exit", at: EPOCH, exitCode, signal, durationMs: 0 });
  const given = [...log.bytes("stdout", bytes, EPOCH), ...log.bytes("stderr", fixture.stderr, EPOCH), ...log.end(EPOCH)];
  const [summary] = project(given, result);
  return { did: project(given, activity).map(shown), status: summary?.status, usage: summary?.usage };
}

/** Reads a recording unchanged. */
function readPlain(fixture: Fixture): Read {
  const known = plain.get(fixture) ?? read(fixture, linesIn(fixture.raw));
  plain.set(fixture, known);
  return known;
}
const plain = new Map<Fixture, Read>();

/** An activity without fields that repeat the line itself. */
function shown(record: Activity): object {
  return record.type === "unknown" ? { type: "unknown" } : record;
}

// ── variations of a line ────────────────────────────────────────────────────────────────────────────────────────────

/** Values that do not come from the CLI, or objects keyed by names. */
const FOREIGN = new Set(
  "input args arguments parameters rawInput tool_input changes modelUsage models agents_states model_usage_since_last_result".split(" "),
);
const MARKS = ["type", "event", "status", "role", "sessionUpdate", "state", "say", "ask", "msg"];

/** A copy in which the line and every record inside it are changed. */
function changed(value: unknown, change: (record: JsonObject) => JsonObject, isLine = true): unknown {
  if (Array.isArray(value)) return value.map((each) => changed(each, change, false));
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, FOREIGN.has(key) ? each : changed(each, change, false)]),
  );
  return isLine || MARKS.some((mark) => mark in copy) ? change(copy) : copy;
}

/** Every field that records of this kind have somewhere. */
function fieldsSeen(agent: string): (record: JsonObject) => JsonObject {
  const seen = new Map<string, Set<string>>();
  const kindOf = (record: JsonObject) =>
    ["type", "subtype", "event", "sessionUpdate", "tool", "contentType"]
      .map((key) => typeof record[key] === "string" && record[key])
      .join();
  for (const { raw } of fixtures.filter((fixture) => fixture.agent.id === agent)) {
    for (const line of linesIn(raw)) {
      changed(parseObject(line), (record) => {
        const fields = seen.get(kindOf(record)) ?? new Set();
        for (const key of Object.keys(record)) fields.add(key);
        seen.set(kindOf(record), fields);
        return record;
      });
    }
  }
  return (record) => ({ ...Object.fromEntries([...(seen.get(kindOf(record)) ?? [])].map((key) => [key, null])), ...record });
}

function linesIn(raw: Buffer): string[] {
  return raw
    .toString()
    .split("\n")
    .filter((line) => line !== "");
}

const reversed = (record: JsonObject) => Object.fromEntries(Object.entries(record).reverse());
const extended = (record: JsonObject) => ({ zzFirst: null, ...record, zzMore: { of: ["x", 1] }, zz_word: "completed" });

describe.each([...new Set(fixtures.map(({ agent }) => agent.id))])("%s", (agent) => {
  const nullForAbsent = fieldsSeen(agent);
  const own = fixtures.filter((fixture) => fixture.agent.id === agent);

  test.each([
    ["fields in a different order", reversed],
    ["unknown fields", extended],
    ["null for absent fields", nullForAbsent],
  ])("%s change nothing", (_, change) => {
    for (const fixture of own) {
      const lines = linesIn(fixture.raw);
      const varied = lines.map((line) =>
        line.startsWith("{") && parseObject(line) ? JSON.stringify(changed(parseObject(line), change)) : line,
      );
      expect(read(fixture, varied), fixture.name).toEqual(readPlain(fixture));
    }
  });

  test("CRLF changes nothing", () => {
    for (const fixture of own) expect(read(fixture, linesIn(fixture.raw), "\r\n"), fixture.name).toEqual(readPlain(fixture));
  });

  test("a duplicate line loses no operation and makes no run look better", () => {
    for (const fixture of own) {
      const lines = linesIn(fixture.raw);
      const before = readPlain(fixture);
      for (const at of places(lines)) {
        const after = read(fixture, [...lines.slice(0, at + 1), ...lines.slice(at)]);
        const where = `${fixture.name}, line ${at + 1}`;
        if (before.status !== "completed") expect(after.status, where).not.toBe("completed");
        if (parseObject(lines[at] ?? "") === undefined) continue; // part of a document
        expect(after.did.map(operation), where).toEqual(expect.arrayContaining(before.did.map(operation)));
      }
    }
  });
});

/** A few line numbers, spread out. */
function places(lines: readonly string[]): readonly number[] {
  const step = Math.max(1, Math.floor(lines.length / 6));
  return lines.flatMap((_, at) => (at % step === step - 1 ? [at] : []));
}

/** What was done, without its outcome. */
function operation(record: object): string {
  const { type, path, command, query } = record as Record<string, unknown>;
  return [type, path, command, query].join(" ");
}
