import assert from "node:assert/strict";

export async function check({ ask }) {
  const carts = [
    [{ price: 0.1, count: 3 }],
    [
      { price: 1.1, count: 3 },
      { price: 19.99, count: 1 },
    ],
    [{ price: 1.15, count: 2 }],
    [],
  ];
  assert.deepEqual(await ask("cart.mjs", ({ total }, all) => all.map(total), carts), [0.3, 23.29, 2.3, 0]);
}
