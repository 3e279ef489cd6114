import assert from "node:assert/strict";

export async function check({ ask }) {
  const left = [
    { id: 1, name: "a" },
    { id: 2, name: "b" },
    { id: "1", name: "c" },
  ];
  const right = [
    { id: 1, city: "Ulm" },
    { id: 1, city: "Bonn", name: "other" },
    { id: 9, city: "Kiel" },
  ];
  const joined = await ask("join.mjs", ({ leftJoin }, a, b) => leftJoin(a, b, "id"), left, right);
  assert.deepEqual(joined, [
    { id: 1, name: "a", city: "Ulm" },
    { id: 1, name: "a", city: "Bonn" },
    { id: 2, name: "b" },
    { id: "1", name: "c" },
  ]);
}
