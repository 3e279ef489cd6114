import fc from "fast-check";
import { expect, test } from "vitest";
import { fewMap } from "../../../src/pure/base/few-map.ts";

test("holds the same entries as a Map, in the same order", () => {
  const step = fc.record({
    what: fc.constantFrom("set", "delete", "get"),
    id: fc.constantFrom("", "a", "b", "c", "__proto__"),
    value: fc.nat(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const few = fewMap<string, number>();
      const map = new Map<string, number>();
      for (const { what, id, value } of steps) {
        if (what === "set") for (const each of [few, map]) each.set(id, value);
        if (what === "delete") for (const each of [few, map]) each.delete(id);
        expect(few.get(id)).toBe(map.get(id));
        expect(few.has(id)).toBe(map.has(id));
        expect([few.size(), ...few.keys(), ...few.values()]).toEqual([map.size, ...map.keys(), ...map.values()]);
      }
    }),
  );
});
