import assert from "node:assert/strict";

export async function check({ ask }) {
  const [together, calls, failures, keys] = await ask("once.mjs", async ({ remembered }) => {
    let [count, fails] = [0, 0];
    const load = remembered(async (key) => `${key}${++count}`);
    const both = await Promise.all([load("a"), load("a"), load("b")]);
    const flaky = remembered(async () => {
      if (++fails === 1) throw new Error("once");
      return fails;
    });
    const seen = [await flaky("k").catch((error) => error.message), await flaky("k"), await flaky("k")];
    const empty = remembered(async () => undefined);
    return [both, count, seen, [await empty("x"), await load("a")]];
  });
  assert.deepEqual(
    { together, calls, failures, keys },
    { together: ["a1", "a1", "b2"], calls: 2, failures: ["once", 2, 2], keys: [undefined, "a1"] },
  );
}
