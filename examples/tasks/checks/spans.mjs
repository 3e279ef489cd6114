import assert from "node:assert/strict";

export async function check({ ask }) {
  const all = [
    [
      [1, 3],
      [2, 6],
      [8, 10],
    ],
    [
      [5, 6],
      [1, 2],
      [2, 3],
    ],
    [
      [1, 10],
      [2, 3],
    ],
    [],
  ];
  const merged = await ask("spans.mjs", ({ mergeSpans }, lists) => lists.map(mergeSpans), all);
  assert.deepEqual(merged, [
    [
      [1, 6],
      [8, 10],
    ],
    [
      [1, 3],
      [5, 6],
    ],
    [[1, 10]],
    [],
  ]);
}
