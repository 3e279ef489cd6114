import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, expectTypeOf, test } from "vitest";
import { schema } from "../../../src/pure/base/schema.ts";
import {
  anyObject,
  anything,
  count,
  described,
  either,
  exactly,
  flag,
  flawOf,
  list,
  matching,
  named,
  nullable,
  number,
  object,
  oneOf,
  optional,
  ordinal,
  type Shape,
  type Static,
  text,
  union,
  valuesOf,
  variants,
  yes,
} from "../../../src/pure/base/shape.ts";

const point = named(object({ x: number, y: optional(number) }), "Point", "A place");
const everything = object({
  text,
  flag,
  count,
  ordinal,
  word: oneOf("a", "b"),
  yes,
  any: optional(anything),
  free: anyObject,
  hex: matching(/^[0-9a-f]+$/),
  texts: list(text),
  maybe: optional(described(text, "inner"), "outer"),
  none: nullable(count),
  bare: described(nullable(text), "words"),
  point,
  points: list(point),
  numbers: valuesOf(number),
  one: either(text, list(text)),
  kind: union("kind", [object({ kind: oneOf("a", "b"), a: text }), object({ kind: oneOf("c"), c: count })]),
  type: variants({ p: { own: text }, q: { shared: count } }, { shared: optional(text) }, { last: flag }),
});

const good: Static<typeof everything> = {
  text: "",
  flag: false,
  count: 0,
  ordinal: 1,
  word: "b",
  any: null,
  free: { a: [] },
  hex: "0f",
  texts: ["a", ""],
  none: null,
  bare: null,
  point: { x: 1.5 },
  points: [{ x: 1, y: 2 }],
  numbers: { a: 1 },
  one: ["a"],
  kind: { kind: "c", c: 1 },
  type: { type: "q", shared: 1, last: true },
};

/** A change to a valid value, and the path of the flaw that it causes. */
const flaws: readonly (readonly [change: object, flaw: string])[] = [
  [{ text: 1 }, "text"],
  [{ text: undefined }, "text"],
  [{ flag: "true" }, "flag"],
  [{ count: -1 }, "count"],
  [{ count: 0.5 }, "count"],
  [{ ordinal: 0 }, "ordinal"],
  [{ word: "c" }, "word"],
  [{ yes: false }, "yes"],
  [{ free: [] }, "free"],
  [{ hex: "x" }, "hex"],
  [{ texts: ["a", 1] }, "texts.1"],
  [{ maybe: null }, "maybe"],
  [{ none: "x" }, "none"],
  [{ point: { x: "1" } }, "point.x"],
  [{ points: [{ x: 1 }, {}] }, "points.1.x"],
  [{ one: [1] }, "one.0"],
  [{ kind: { kind: "a", c: 1 } }, "kind.a"],
  [{ kind: { kind: "d" } }, "kind.kind"],
  [{ type: { type: "p", own: 1, last: true } }, "type.own"],
  [{ type: { type: "q", shared: "1", last: true } }, "type.shared"],
];

function publishedOf(shape: Shape<unknown>): object {
  return schema({ name: "x", version: "1.0", title: "X", description: "An X", shape }).json();
}

describe("one description", () => {
  const valid = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(publishedOf(everything));

  test("gives the type", () => {
    expectTypeOf<Static<typeof point>>().toEqualTypeOf<{ readonly x: number; readonly y?: number }>();
    expectTypeOf(good.word).toEqualTypeOf<"a" | "b">();
    expectTypeOf(good.yes).toEqualTypeOf<true | undefined>();
    expectTypeOf(good.none).toEqualTypeOf<number | null>();
    expectTypeOf(good.texts).toEqualTypeOf<readonly string[]>();
    expectTypeOf(good.one).toEqualTypeOf<string | readonly string[]>();
    if (good.type.type === "q") expectTypeOf(good.type.shared).toEqualTypeOf<number>(); // its own field overrides the shared one
    if (good.type.type === "p") expectTypeOf(good.type.shared).toEqualTypeOf<string | undefined>();
  });

  test("accepts a valid value, and so does its JSON Schema", () => {
    expect(flawOf(everything, good, { strict: true })).toBeUndefined();
    expect(valid(good), JSON.stringify(valid.errors)).toBe(true);
  });

  test.each(flaws)("%o: %s", (change, place) => {
    const value = JSON.parse(JSON.stringify({ ...good, ...change }));
    expect(flawOf(everything, value)?.join(".")).toBe(place);
    expect(valid(value)).toBe(false);
  });

  test("checks the values of arbitrary names, although the published schema accepts any", () => {
    expect(flawOf(everything, { ...good, numbers: { a: "1" } })).toEqual(["numbers", "a"]);
  });

  test("numbers are finite", () => {
    expect(flawOf(number, Number.NaN)).toEqual([]);
    expect(flawOf(number, Number.POSITIVE_INFINITY)).toEqual([]);
  });

  test("strict: rejects undeclared fields at any depth", () => {
    for (const [value, place] of [
      [{ ...good, more: 1 }, "more"],
      [{ ...good, point: { x: 1, more: 1 } }, "point.more"],
      [{ ...good, kind: { kind: "c", c: 1, a: "" } }, "kind.a"],
    ] as const) {
      expect(flawOf(everything, value)).toBeUndefined();
      expect(valid(value)).toBe(true);
      expect(flawOf(everything, value, { strict: true })?.join(".")).toBe(place);
    }
    expect(flawOf(object({ point: exactly(point) }), { point: { x: 1, more: 1 }, more: 1 })).toEqual(["point", "more"]);
  });

  test("defines a named part once in the schema", () => {
    expect(publishedOf(object({ b: list(point), a: point }))).toEqual({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: "urn:harness:schema:x:1.0",
      title: "X",
      description: "An X",
      type: "object",
      properties: { b: { type: "array", items: { $ref: "#/$defs/Point" } }, a: { $ref: "#/$defs/Point" } },
      required: ["b", "a"],
      additionalProperties: true,
      $defs: {
        Point: {
          type: "object",
          properties: { x: { type: "number" }, y: { type: "number" } },
          required: ["x"],
          additionalProperties: true,
          description: "A place",
        },
      },
    });
  });
});
