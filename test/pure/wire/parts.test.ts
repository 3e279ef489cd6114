import { expect, test } from "vitest";
import { type Part, partsOf, textOfParts } from "../../../src/pure/wire/index.ts";

/** Cuts bodies as a recording does; `stored` is what was written for them. */
function recording() {
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  let stored = "";
  const at = (number: number) => texts[number] ?? expect.fail(`piece ${number}`);
  return {
    take: (body: string): readonly Part[] => {
      const parts = partsOf(body, (text, inner) => {
        const known = numbers.get(text);
        if (known !== undefined) return known;
        const number = texts.push(textOfParts(inner, at)) - 1;
        numbers.set(text, number);
        stored += `${JSON.stringify(inner)}\n`;
        return number;
      });
      stored += `${JSON.stringify(parts)}\n`;
      return parts;
    },
    read: (parts: readonly Part[]) => textOfParts(parts, at),
    size: () => stored.length,
  };
}

const long = 'A long text with \\"quotes\\", a \\\\ and \\u2028. '.repeat(60);

test.each([
  ["nothing", ""],
  ["a short text", "hello"],
  ["a long text that is not JSON", long],
  ["an empty object", "{}"],
  ["one that does not end", `{"messages":[{"a":"${long}`],
  ["one with text behind it", `{"a":1} ${long}`],
  ["spaces and line ends", `{ "messages" : [ {"a": "${long}"} , {"b":2} ],\n "x":[ ] }`],
  ["a list of short elements", `{"stop":["a","b"],"messages":[${'"x",'.repeat(200)}"y"]}`],
  ["long texts inside elements", `{"messages":[{"role":"user","content":[{"text":"${long}"},{"text":"${long}"}]}],"tools":[]}`],
  [
    "brackets in texts",
    `{"messages":[{"role":"user","content":"]}],${"[{".repeat(300)}"},{"role":"assistant","content":"${"}".repeat(80)}"}]}`,
  ],
])("a body is the same text again: %s", (_, body) => {
  const { take, read } = recording();
  expect(read(take(body))).toBe(body);
  expect(read(take(body))).toBe(body);
});

/** The messages of a session: each turn adds a call and its result. */
function session(turns: number): readonly string[] {
  const tools = Array.from({ length: 30 }, (_, i) => ({ name: `tool-${i}`, description: "What the tool does. ".repeat(40) }));
  const messages: object[] = [{ role: "user", content: "Fix the test." }];
  return Array.from({ length: turns }, (_, turn) => {
    const body = { model: "m", system: [{ type: "text", text: "You are an agent. ".repeat(500) }], messages: [...messages], tools };
    messages.push({ role: "assistant", content: `Step ${turn}.`, id: `call_${turn}`, text: "x".repeat(100) });
    messages.push({ role: "user", content: [{ type: "tool_result", id: `call_${turn}`, text: `${turn} ${"output ".repeat(200)}` }] });
    return JSON.stringify(body);
  });
}

test("200 turns are not 200 copies: what is stored grows with what is new", () => {
  const size = (turns: number) => {
    const { take, size: stored } = recording();
    const bodies = session(turns);
    for (const body of bodies) take(body);
    return { stored: stored(), sent: bodies.reduce((sum, body) => sum + body.length, 0), last: bodies.at(-1)?.length ?? 0 };
  };
  const [short, full] = [size(20), size(200)];
  expect(full.stored).toBeLessThan(1.2 * full.last); // no more than one copy of the last request
  expect(full.stored).toBeLessThan(full.sent / 50);
  expect(full.stored / short.stored).toBeLessThan(10);
});

test("a mark that wanders to the last message stores no long text twice", () => {
  const { take, size } = recording();
  const text = (marked: boolean) => ({
    role: "user",
    content: [{ type: "text", text: "y".repeat(50_000), ...(marked && { cache_control: {} }) }],
  });
  take(JSON.stringify({ messages: [text(true)] }));
  take(JSON.stringify({ messages: [text(false), { role: "user", content: "Continue." }] }));
  expect(size()).toBeLessThan(52_000);
});
