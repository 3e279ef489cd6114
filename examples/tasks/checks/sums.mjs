import assert from "node:assert/strict";

export async function check({ ask }) {
  const rows = [
    { city: "Ulm", amount: 1 },
    { city: "Bonn", amount: 5 },
    { city: "Ulm", amount: 2 },
    { city: "constructor", amount: 7 },
    { city: "__proto__", amount: 1 },
    { city: "Ulm" },
  ];
  const found = await ask("sums.mjs", ({ sums }, all) => sums(all, "city", "amount"), rows);
  assert.ok(found instanceof Map, "it is not a Map");
  assert.deepEqual(
    [...found],
    [
      ["Ulm", 3],
      ["Bonn", 5],
      ["constructor", 7],
      ["__proto__", 1],
    ],
  );
}
