import fc from "fast-check";
import { expect, test } from "vitest";
import { heights } from "../../../page/list/heights.ts";

/** Positions are sums of heights, whatever was measured and however the list grew. */

test("tops, total and the row at a position agree with a plain sum", () => {
  const height = fc.integer({ min: 1, max: 400 });
  const changes = fc.array(fc.record({ at: fc.nat(3000), height }), { maxLength: 40 });
  fc.assert(
    fc.property(
      fc.array(height, { minLength: 1, maxLength: 1500 }),
      fc.array(height, { maxLength: 1500 }),
      changes,
      (first, more, changed) => {
        const plain = [...first];
        const list = heights(first.length, (i) => first[i] ?? 0);
        const apply = () => {
          for (const { at, height: next } of changed) {
            list.set(at, next);
            if (at < plain.length) plain[at] = next;
          }
        };
        apply();
        plain.push(...more);
        list.grow(plain.length, (i) => plain[i] ?? 0);
        apply();
        let top = 0;
        for (const [i, each] of plain.entries()) {
          expect(list.top(i)).toBe(top);
          if (i % 97 === 0 || i === plain.length - 1) {
            expect(list.indexAt(top)).toBe(i);
            expect(list.indexAt(top + each - 1)).toBe(i);
          }
          top += each;
        }
        expect(list.total).toBe(top);
        expect(list.indexAt(top + 1000)).toBe(plain.length - 1);
        expect(list.indexAt(0)).toBe(0);
      },
    ),
    { numRuns: 60 },
  );
});

test("a million rows stay fast", () => {
  const list = heights(1_000_000, (i) => 20 + (i % 7));
  list.set(999_999, 100);
  expect(list.indexAt(list.total - 1)).toBe(999_999);
  expect(list.indexAt(list.top(123_456))).toBe(123_456);
});
