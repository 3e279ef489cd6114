import assert from "node:assert/strict";
import { test } from "node:test";
import { discounted } from "./price.mjs";

test("no discount", () => assert.equal(discounted(200, 0), 200));
test("ten percent off", () => assert.equal(discounted(200, 10), 180));
