import { expect, test } from "vitest";
import { shows } from "../../../../src/pure/views/truth/places.ts";

test("T2: an added folder is not a trace of a file in it", () => {
  expect(shows({ kind: "added", path: "test" }, "test/never.test.js")).toBe(false);
  expect(shows({ kind: "added", path: "test/never.test.js" }, "test/never.test.js")).toBe(true);
  expect(shows({ kind: "added", path: "src/a.js" }, "src")).toBe(true);
});

test("behind a folder that was replaced, changes are not listed", () => {
  expect(shows({ kind: "type", path: "src" }, "src/a.js")).toBe(true);
  expect(shows({ kind: "renamed", path: "b.js", was: "a.js" }, "a.js")).toBe(true);
});
