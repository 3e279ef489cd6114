import assert from "node:assert/strict";

export async function check({ ask, read }) {
  const shown = await ask("prices.mjs", ({ euros, dollars, pounds }) =>
    [123_456_789, -5, 0, 100_000].map((c) => [euros(c), dollars(c), pounds(c)]),
  );
  assert.deepEqual(shown, [
    ["1 234 567.89 €", "$1,234,567.89", "£1,234,567.89"],
    ["-0.05 €", "-$0.05", "-£0.05"],
    ["0.00 €", "$0.00", "£0.00"],
    ["1 000.00 €", "$1,000.00", "£1,000.00"],
  ]);
  const source = await read("prices.mjs");
  assert.ok(source.split("toFixed").length <= 2, "toFixed still appears more than once");
}
