import assert from "node:assert/strict";

export async function check({ ask }) {
  const lists = [["a", "b", "c"], ["a", "b"], ["a"], []];
  assert.deepEqual(await ask("sentence.mjs", ({ sentence }, all) => all.map(sentence), lists), ["a, b and c", "a and b", "a", ""]);
}
