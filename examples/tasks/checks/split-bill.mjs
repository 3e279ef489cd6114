import assert from "node:assert/strict";

export async function check({ ask }) {
  const shares = await ask("split.mjs", ({ split }) => [split(1000, 3), split(1001, 2), split(5, 4), split(0, 2), split(99, 1)]);
  assert.deepEqual(shares, [[334, 333, 333], [501, 500], [2, 1, 1, 1], [0, 0], [99]]);
}
