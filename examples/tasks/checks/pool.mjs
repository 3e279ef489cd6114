import assert from "node:assert/strict";

export async function check({ ask }) {
  const [results, most, none, failure, started] = await ask("pool.mjs", async ({ pool }) => {
    let [running, peak, begun] = [0, 0, 0];
    const task = (value, ms) => async () => {
      peak = Math.max(peak, ++running);
      await new Promise((resolve) => setTimeout(resolve, ms));
      running--;
      return value;
    };
    const found = await pool([task("a", 30), task("b", 5), task("c", 1), task("d", 10)], 2);
    const fails = [async () => Promise.reject(new Error("no")), ...Array.from({ length: 5 }, () => async () => begun++)];
    return [found, peak, await pool([], 3), await pool(fails, 1).catch((error) => error.message), begun];
  });
  assert.deepEqual(
    { results, most, none, failure, started },
    { results: ["a", "b", "c", "d"], most: 2, none: [], failure: "no", started: 0 },
  );
}
