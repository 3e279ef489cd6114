import assert from "node:assert/strict";

const RIGHT = `export function clamp(number, low, high) {
  if (low > high) throw new RangeError("low is above high");
  return Math.min(Math.max(number, low), high);
}`;

const WRONG = [
  RIGHT.replace("Math.max(number, low)", "number"),
  RIGHT.replace("Math.min(Math.max(number, low), high)", "Math.max(number, low)"),
  RIGHT.replace(/ {2}if.*\n/, ""),
  RIGHT.replace("RangeError", "Error"),
];

/** The agent's test must pass with the right function, and fail with each of these. */
export async function check({ run, write }) {
  for (const [index, source] of [RIGHT, ...WRONG].entries()) {
    await write("clamp.mjs", source);
    const { code } = await run("clamp.test.mjs");
    assert.equal(
      code === 0,
      index === 0,
      index === 0 ? "the test fails with the right function" : `the test does not notice mistake ${index}`,
    );
  }
}
