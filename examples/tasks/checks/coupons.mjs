import assert from "node:assert/strict";

export async function check({ ask }) {
  const orders = [
    [10_000, [{ off: 500 }, { percent: 10 }]],
    [
      10_000,
      [
        { percent: 10, until: "2026-01-31" },
        { percent: 50, until: "2026-01-30" },
      ],
    ],
    [300, [{ off: 500 }]],
    [999, [{ percent: 15 }]],
    [700, []],
  ];
  const prices = await ask(
    "coupons.mjs",
    ({ discounted }, all) => all.map(([cents, coupons]) => discounted(cents, coupons, "2026-01-31")),
    orders,
  );
  assert.deepEqual(prices, [8500, 9000, 0, 849, 700]);
}
