import assert from "node:assert/strict";
import { test } from "node:test";
import { clamp } from "./clamp.mjs";

test("a number inside the bounds stays", () => assert.equal(clamp(5, 1, 9), 5));
test("a number below becomes the lower bound", () => assert.equal(clamp(-3, 1, 9), 1));
test("a number above becomes the upper bound", () => assert.equal(clamp(30, 1, 9), 9));
test("bounds may be equal", () => assert.equal(clamp(30, 4, 4), 4));
test("bounds in the wrong order throw", () => assert.throws(() => clamp(1, 9, 1), RangeError));
