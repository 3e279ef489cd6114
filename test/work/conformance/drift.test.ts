import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { pins } from "../../../src/work/conformance/agents/pins.ts";
import { collectShapes } from "../../../src/work/conformance/collect-shapes.ts";
import { driftOf } from "../../../src/work/conformance/drift.ts";
import { recordedShapes } from "../../../src/work/conformance/recorded-shapes.ts";
import { type Shapes, shapeCollector } from "../../../src/work/conformance/shapes.ts";

const folder = mkdtempSync(join(tmpdir(), "harness-drift-"));

afterAll(() => rmSync(folder, { recursive: true }));

function shapes(...lines: readonly (object | string)[]): Shapes {
  const collector = shapeCollector();
  for (const line of lines) collector.see(typeof line === "string" ? line : JSON.stringify(line));
  return collector.shapes;
}

function asObject(found: Shapes): Record<string, readonly string[]> {
  return Object.fromEntries([...found].map(([kind, fields]) => [kind, [...fields]]));
}

describe("the shape of a line", () => {
  test("includes its fields, and those of inner objects without a type", () => {
    expect(asObject(shapes({ type: "result", usage: { input: 1 }, list: [{ a: 1 }, { b: 2 }] }))).toEqual({
      result: ["type", "usage", "usage.input", "list", "list.a", "list.b"],
    });
  });

  test("an inner object with a type is a separate kind", () => {
    const line = { type: "system", subtype: "init", item: { type: "command", id: 1, parts: [{ type: "text", text: "x" }] } };
    expect(asObject(shapes(line))).toEqual({
      "system/init": ["type", "subtype", "item"],
      "system/init item:command": ["type", "id", "parts"],
      "system/init item:command parts:text": ["type", "text"],
    });
  });

  test("a protocol's equivalent of a type is a type too", () => {
    const line = { jsonrpc: "2.0", method: "session/update", params: { update: { sessionUpdate: "tool_call", title: "x" } } };
    expect(asObject(shapes(line))).toEqual({
      "session/update": ["jsonrpc", "method", "params", "params.update"],
      "session/update params.update:tool_call": ["sessionUpdate", "title"],
    });
  });

  test("ids, paths and dates are data; tool parameters come from the model", () => {
    const line = { type: "x", "/a b": { v: 1 }, "claude-20250101": { v: 1 }, input: { command: "ls" } };
    expect(asObject(shapes(line))).toEqual({ x: ["type", "*", "*.v", "input"] });
    expect(asObject(shapes({ type: "two words" }))).toEqual({ object: ["type"] });
  });

  test("a line that is not an object has none, and depth is limited", () => {
    expect(asObject(shapes("not json", "[1]", "3", ""))).toEqual({});
    const deep = `{"type":"d","a":${'{"a":'.repeat(5000)}1${"}".repeat(5000)}}`;
    expect(shapes(deep).get("d")?.size).toBeLessThan(20);
  });

  test("a name from outside cannot clash with built-in names", () => {
    expect(asObject(shapes('{"type":"__proto__","__proto__":{"constructor":1}}'))).toEqual(
      Object.fromEntries([["__proto__", ["type", "__proto__", "__proto__.constructor"]]]),
    );
  });
});

describe("drift", () => {
  const known = (...scenarios: string[]) => ({
    fields: new Set(["type", "a"]),
    always: new Set(["type", "a"]),
    scenarios: new Set(scenarios),
  });
  const recorded = {
    kinds: new Map([
      ["start", known("one", "two")],
      ["end", known("two")],
    ]),
  };

  test("the same shapes give no drift", () => {
    expect(driftOf(recorded, new Map([["one", shapes({ type: "start", a: 1 })]]))).toEqual({
      newTypes: [],
      newFields: [],
      vanishedTypes: [],
      vanishedFields: [],
    });
  });

  test("new types, new fields of known types, and vanished types of the scenarios that ran", () => {
    const seen = new Map([
      ["one", shapes({ type: "start", b: 1 }, { type: "begin" })],
      ["two", shapes({ type: "start", c: { d: 1 } })],
    ]);
    expect(driftOf(recorded, seen)).toEqual({
      newTypes: ["begin"],
      newFields: [{ type: "start", fields: ["b", "c", "c.d"] }],
      vanishedTypes: ["end"],
      vanishedFields: [{ type: "start", fields: ["a"] }],
    });
  });

  test("X6: a field that only some recordings show has not vanished", () => {
    const sometimes = { kinds: new Map([["start", { ...known("one"), always: new Set(["type"]) }]]) };
    expect(driftOf(sometimes, new Map([["one", shapes({ type: "start" })]]))?.vanishedFields).toEqual([]);
  });

  test("a type of a scenario that did not run has not vanished", () => {
    expect(driftOf(recorded, new Map([["one", shapes({ type: "start" })]]))?.vanishedTypes).toEqual([]);
  });

  test("without a recording there is no drift", () => {
    expect(driftOf(undefined, new Map())).toBeNull();
    expect(driftOf({ kinds: new Map() }, new Map())).toBeNull();
  });
});

describe("the recorded shapes", () => {
  test("are collected only from recorded fixtures, for the pin with that version, and read back", () => {
    const fixture = (agent: string, name: string, meta: object, line: object) => {
      mkdirSync(join(folder, agent, name), { recursive: true });
      writeFileSync(join(folder, agent, name, "meta.json"), JSON.stringify(meta));
      writeFileSync(join(folder, agent, name, "raw.jsonl"), `${JSON.stringify(line)}\n`);
    };
    fixture("pi", "one", { provenance: "recorded", version: "pi 0.73.1" }, { type: "old" });
    fixture("pi", "one-new", { provenance: "recorded", version: "pi 1.5.0" }, { type: "new" });
    fixture("pi", "documented-two", { provenance: "documented", version: "pi 1.5.0" }, { type: "never" });
    const read = recordedShapes(collectShapes(folder));
    expect([...(read.get("pi")?.kinds ?? [])]).toEqual([
      ["old", { fields: new Set(["type"]), always: new Set(["type"]), scenarios: new Set(["one"]) }],
    ]);
    expect([...(read.get("pi-new")?.kinds ?? [])]).toEqual([
      ["new", { fields: new Set(["type"]), always: new Set(["type"]), scenarios: new Set(["one"]) }],
    ]);
  });

  test("include the pinned agents", () => {
    const read = recordedShapes();
    expect([...read.keys()]).toEqual([...pins.keys()]);
    expect([...read.values()].filter(({ kinds }) => kinds.size > 1).length).toBeGreaterThan(8);
  });
});
