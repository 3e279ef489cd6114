import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decode } from "../../../src/host/recording/derive/decode.ts";
import { agents } from "../../../src/pure/agents/agents.ts";
import type { LogRecord } from "../../../src/pure/events/index.ts";
import type { Line } from "../../../src/pure/events/record.ts";
import { lineSplitter } from "../../../src/pure/pipeline/line-splitter.ts";
import { log } from "../../../src/pure/views/log/view.ts";
import { feed } from "../../support/fixtures.ts";
import { runs } from "../../support/full.ts";

/** Stream cases 22–30 and 34: hostile bytes for a line reader. */

const bytes = (text: string) => Buffer.from(text);

function split(pieces: Iterable<Uint8Array>, cap?: number): Line[] {
  const splitter = lineSplitter(decode, cap);
  return [...[...pieces].flatMap((piece) => [...splitter.push(piece)]), ...splitter.end()];
}

/** The events of Codex's translator for a stream, without the run's start and end. */
function codex(input: Uint8Array | string): LogRecord[] {
  return feed(agents.codex, log, [typeof input === "string" ? bytes(input) : input]).slice(1, -1);
}

const message = (text: string) => JSON.stringify({ type: "item.completed", item: { id: "i", type: "agent_message", text } });

describe("case 22: any chunking", () => {
  test("gives the same lines, with the same offsets", () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 12 }),
      fc.constant(bytes("\n")),
      fc.constant(bytes("é\u2028\n")),
      fc.constant(bytes("{}\r\n")),
    );
    const anyBytes = fc.array(piece, { maxLength: 20 }).map((parts) => Buffer.concat(parts));
    fc.assert(
      fc.property(anyBytes, fc.array(fc.nat(64), { maxLength: 8 }), fc.constantFrom(4, 16, 1 << 20), (input, cuts, cap) => {
        const points = [0, ...cuts.map((cut) => cut % (input.length + 1)).sort((a, b) => a - b), input.length];
        const pieces = points.slice(1).map((end, i) => input.subarray(points[i], end));
        const lines = split(pieces, cap);
        expect(lines).toEqual(split([input], cap));
        expect(lines).toEqual(
          split(
            Array.from(input, (byte) => Uint8Array.of(byte)),
            cap,
          ),
        );
        const whole = lines.map((line) =>
          Buffer.concat([input.subarray(line.offset, line.offset + line.length), bytes(line.terminated ? "\n" : "")]),
        );
        expect(Buffer.concat(whole).equals(input)).toBe(true);
      }),
      { numRuns: runs(2_000, 10_000) },
    );
  });

  test("the caller may reuse a chunk", () => {
    const shared = Buffer.alloc(4);
    const splitter = lineSplitter(decode);
    const lines = ["ab", "cd", "e\n"].flatMap((text) => [...splitter.push(shared.subarray(0, shared.write(text)))]);
    expect(lines.map(({ text }) => text)).toEqual(["abcde"]);
  });
});

test.each(["\u2028", "\u2029", "\u0085", "\u000b", "\u000c"])(
  "case 23: %j inside a string neither splits a line nor is lost",
  (character) => {
    const [event] = codex(
      `{"type":"item.completed","item":{"id":"i","type":"agent_message","text":"a${character === "\u000b" || character === "\u000c" ? JSON.stringify(character).slice(1, -1) : character}b"}}\n`,
    );
    expect(event).toMatchObject({ type: "message", text: `a${character}b` });
  },
);

test("case 24: CRLF ends a line, a lone CR does not, blank lines are ignored", () => {
  const events = codex(`${message("one")}\r\n\r\n   \n\n10%\r20%\r30%\r\n${message("two")}\r\n`);
  expect(events.map((event) => [event.type, "text" in event ? event.text : "raw" in event ? event.raw : ""])).toEqual([
    ["message", "one"],
    ["unknown", "10%\r20%\r30%"],
    ["message", "two"],
  ]);
});

describe("case 26: bad bytes", () => {
  const nasty: [string, Buffer, unknown][] = [
    ["0xFF", Buffer.from([0xff, 0xfe, 0x41]), { encoding: "base64", raw: "//5B" }],
    ["truncated UTF-8", Buffer.from([0x61, 0xe2, 0x82]), { encoding: "base64", raw: "YeKC" }],
    ["NUL", Buffer.from([0x00, 0x61]), { raw: "\u0000a" }],
    ["a real U+FFFD", bytes("\uFFFD ok"), { raw: "\uFFFD ok" }],
    ["UTF-16", Buffer.from(message("x"), "utf16le"), {}],
  ];
  test.each(nasty)("%s is one unknown, and the stream continues", (_, line, expected) => {
    const [strange, next, ...rest] = codex(Buffer.concat([line, bytes(`\n${message("next")}\n`)]));
    expect(strange).toMatchObject({
      type: "unknown",
      provenance: "unknown",
      from: [{ offset: 0, length: line.length }],
      ...(expected as object),
    });
    expect(next).toMatchObject({ type: "message", text: "next" });
    expect(rest).toEqual([]);
  });

  test("a byte order mark does not hide the first line", () => {
    expect(codex(`\uFEFF${message("first")}\n`)).toMatchObject([{ type: "message", text: "first" }]);
  });

  test("a bad byte inside a JSON string loses that character, not the line", () => {
    const line = Buffer.concat([
      bytes('{"type":"item.completed","item":{"id":"i","type":"agent_message","text":"a'),
      Buffer.from([0xff]),
      bytes('b"}}\n'),
    ]);
    expect(codex(line)).toMatchObject([{ type: "message", text: "a\uFFFDb" }]);
  });
});

describe("case 27: bombs", () => {
  const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
  test.each([
    ["8 million brackets on one line", deep(4_000_000)],
    ["5,000 levels, which JSON.parse accepts and JSON.stringify does not", deep(5_000)],
    ["5,000 levels inside an object", `{"type":"item.completed","item":{"id":"i","type":"hologram","x":${deep(5_000)}}}`],
    ["a million keys", `{${Array.from({ length: 1_000_000 }, (_, i) => `"k${i}":0`).join()}}`],
    ["brackets that never close", "[".repeat(300_000)],
  ])("%s is one unknown that can be serialised", (_, line) => {
    const events = codex(`${line}\n${message("next")}\n`);
    expect(events.map(({ type }) => type)).toEqual(["unknown", "message"]);
    expect(() => JSON.stringify(events)).not.toThrow();
  });

  test("a call with a deeply nested input is still reported", () => {
    const call = { type: "assistant", message: { id: "m", content: [{ type: "tool_use", id: "t", name: "mcp__x__y", input: { a: 1 } }] } };
    const line = JSON.stringify(call).replace('{"a":1}', `{"a":${deep(5_000)}}`);
    const events = feed(agents.claude, log, [bytes(`${line}\n`)]);
    expect(events.map(({ type }) => type)).toEqual(["run-start", "tool-start", "tool-end", "run-end"]);
    expect(() => JSON.stringify(events)).not.toThrow();
  });
});

test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
  "case 28: %s as an id and as a key is paired like any other",
  (id) => {
    const item = (type: string, rest: object) => JSON.stringify({ type, item: { ...rest } }).replace('"ID"', JSON.stringify(id));
    const events = codex(
      `${item("item.started", { id: "ID", type: "command_execution", command: "make", status: "in_progress" })}\n` +
        `${item("item.completed", { id: "ID", type: "command_execution", command: "make", exit_code: 0, status: "completed" })}\n` +
        `{"type":${JSON.stringify(id)}}\n{"__proto__":{"type":"turn.started"}}\n`,
    );
    expect(events.map(({ type }) => type)).toEqual(["tool-start", "tool-end", "unknown", "unknown"]);
    expect(events[1]).toMatchObject({ callId: id, success: true });
    expect(Object.prototype).not.toHaveProperty("type");
  },
);

test("case 29: numbers JavaScript cannot hold and duplicate keys leave the raw bytes unchanged, and linked", () => {
  const line = '{"type":"odd","n":9223372036854775808,"e":1e400,"z":-0,"k":1,"k":2}';
  const input = bytes(`${line}\n`);
  const [event] = codex(input);
  expect(event?.type).toBe("unknown");
  const [ref] = event?.from ?? [];
  expect(input.subarray(ref?.offset, (ref?.offset ?? 0) + (ref?.length ?? 0)).toString()).toBe(line);
});

test("case 30: noise between JSON lines is kept, in order, one unknown each", () => {
  const noise = [
    "npm WARN deprecated",
    "\u001b[31mred\u001b[0m",
    "    at Object.<anonymous> (x.js:1:1)",
    "null",
    "[]",
    '"s"',
    "42",
    "true",
  ];
  const events = codex(noise.map((line) => `${line}\n${message(line)}\n`).join(""));
  expect(events.map(({ type }) => type)).toEqual(noise.flatMap(() => ["unknown", "message"]));
  expect(events.filter((event) => event.type === "unknown").map((event) => event.raw)).toEqual([
    ...noise.slice(0, 3),
    null,
    [],
    "s",
    42,
    true,
  ]);
});

describe("case 34: an unterminated last line", () => {
  test("is an event if it is complete", () => {
    expect(codex(message("whole"))).toMatchObject([{ type: "message", text: "whole" }]);
  });
  test("is an unknown, marked truncated, if it is not", () => {
    const half = message("half").slice(0, -4);
    expect(codex(half)).toMatchObject([{ type: "unknown", raw: half, truncated: true }]);
  });
  test("is also marked if it ends inside a character or exceeds the cap", () => {
    expect(codex(Buffer.from([0x61, 0xe2, 0x82]))).toMatchObject([{ type: "unknown", encoding: "base64", truncated: true }]);
    expect(codex(Buffer.alloc(17 * 1024 * 1024, " "))).toMatchObject([{ type: "unknown", oversize: true, truncated: true }]);
  });
});
