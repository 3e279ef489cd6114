import assert from "node:assert/strict";

export async function check({ ask }) {
  const rows = [
    { id: 3, parent: 2 },
    { id: 1, parent: null },
    { id: 2, parent: 1 },
    { id: 4, parent: 99 },
    { id: 5, parent: 1 },
  ];
  const leaf = (id) => ({ id, children: [] });
  assert.deepEqual(await ask("tree.mjs", ({ treeOf }, all) => treeOf(all), rows), [
    { id: 1, children: [{ id: 2, children: [leaf(3)] }, leaf(5)] },
    leaf(4),
  ]);
}
