import { describe, expect, test } from "vitest";
import { differences, matcher, normalizer } from "../../../src/pure/wire/index.ts";

const plain = normalizer({}, [{ path: "/place/a", name: "workspace" }]);
const lines = (body: unknown, path = "/v1/chat/completions") => plain({ method: "POST", path, body: JSON.stringify(body) });
const digest = (text: string) => text;

describe("a request as lines", () => {
  test("the order of fields does not matter, that of a list does", () => {
    expect(lines({ a: 1, b: [1, 2] })).toEqual(lines({ b: [1, 2], a: 1 }));
    expect(lines({ b: [1, 2] })).not.toEqual(lines({ b: [2, 1] }));
  });

  test("values of different types are different", () => {
    const all = [null, "null", 1, "1", true, "true", [], {}, "", "[]", "{}"].map((a) => lines({ a }).join("\n"));
    expect(new Set(all).size).toBe(all.length);
    expect(lines({ a: { b: 1 } })).not.toEqual(lines({ "a.b": 1 }));
  });

  test("ids count by their order: two that are swapped are noticed", () => {
    const [a, b] = ["5f2ba1c3-0000-4000-8000-000000000001", "5f2ba1c3-0000-4000-8000-000000000002"];
    const [c, d] = ["99999999-0000-4000-8000-000000000001", "99999999-0000-4000-8000-000000000002"];
    expect(lines({ calls: [a, b], results: [a, b] })).toEqual(lines({ calls: [c, d], results: [c, d] }));
    expect(lines({ calls: [a, b], results: [a, b] })).not.toEqual(lines({ calls: [c, d], results: [d, c] }));
  });

  test("times, ports and the workspace have names; other numbers and paths stay", () => {
    const [, text] = lines("at 2026-11-18T08:10:00.123Z on http://127.0.0.1:4711/x in /place/a/b and /place/c, 2026-11-18, 4711");
    expect(text).toBe('"at <time> on http://127.0.0.1:<port>/x in <workspace>/b and /place/c, 2026-11-18, 4711"');
  });

  test("a body that is not JSON is a text", () => {
    expect(plain({ method: "GET", path: "/v1/models", body: "" })).toEqual(["GET /v1/models", '""']);
    expect(plain({ method: "POST", path: "/x", body: "{half" })).toEqual(["POST /x", '"{half"']);
  });
});

describe("matching", () => {
  const [one, two, three] = [lines({ q: "one" }), lines({ q: "two" }), lines({ q: "two", more: true })];
  const known = () =>
    matcher(
      [one, two, two, three].map((each, i) => ({ call: i + 1, lines: each })),
      digest,
    );

  test("each recorded request is taken once, equal ones in their order", () => {
    const found = known();
    expect([found.take(two), found.take(two), found.take(two), found.take(one)]).toEqual([2, 3, undefined, 1]);
    expect(found.left).toEqual([4]);
  });

  test("the nearest is the most similar one that is left, on the same path", () => {
    const found = known();
    const asked = lines({ q: "three", more: true });
    expect(found.nearest(asked)).toBe(4);
    found.use(4);
    expect(found.nearest(asked)).toBe(1);
    expect(found.nearest(lines({ q: "one" }, "/v1/messages"))).toBeUndefined();
  });

  test("a difference shows the lines of both sides, and of a long line the part that differs", () => {
    const long = "x".repeat(5000);
    const { lines: found, more } = differences(lines({ a: `${long}one`, b: 1 }), lines({ a: `${long}two`, b: 2 }), 3);
    expect(found.map(({ side }) => side)).toEqual(["recorded", "now", "recorded"]);
    expect(found[0]?.text).toMatch(/^a: …x+one"$/);
    expect(more).toBe(1);
  });
});
