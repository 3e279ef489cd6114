import assert from "node:assert/strict";

export async function check({ ask }) {
  const [left, before, ...refused] = await ask("stock.mjs", ({ reserve }) => {
    const stock = { apples: 3, pears: 1 };
    const attempt = (order) => {
      try {
        return reserve(stock, order);
      } catch (error) {
        return error instanceof RangeError ? error.message : "another error";
      }
    };
    const after = attempt({ apples: 2 });
    return [after, stock, attempt({ pears: 2 }), attempt({ plums: 1 }), attempt({ apples: 1, pears: 5 }), stock];
  });
  assert.deepEqual(
    [left, before],
    [
      { apples: 1, pears: 1 },
      { apples: 3, pears: 1 },
    ],
  );
  assert.match(String(refused[0]), /pears/);
  assert.match(String(refused[1]), /plums/);
  assert.match(String(refused[2]), /pears/);
  assert.deepEqual(refused[3], { apples: 3, pears: 1 });
}
