import assert from "node:assert/strict";

export async function check({ ask }) {
  const days = [
    ["2024-01-31", 1],
    ["2023-01-31", 1],
    ["2024-03-31", -1],
    ["2024-11-30", 3],
    ["2024-01-15", 12],
    ["2024-05-31", 0],
  ];
  const moved = await ask("months.mjs", ({ addMonths }, all) => all.map(([day, count]) => addMonths(day, count)), days);
  assert.deepEqual(moved, ["2024-02-29", "2023-02-28", "2024-02-29", "2025-02-28", "2025-01-15", "2024-05-31"]);
}
