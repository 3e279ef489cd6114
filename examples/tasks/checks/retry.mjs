import assert from "node:assert/strict";

export async function check({ ask }) {
  const outcomes = await ask("retry.mjs", async ({ retry }) => {
    const outcome = async (failures, options) => {
      let calls = 0;
      const action = async () => {
        if (++calls <= failures) throw new Error(`failure ${calls}`);
        return `call ${calls}`;
      };
      return [await retry(action, options).catch((error) => error.message), calls];
    };
    const isWorthIt = ({ message }) => message !== "failure 2";
    return [
      await outcome(0, { times: 3 }),
      await outcome(2, { times: 3 }),
      await outcome(9, { times: 3 }),
      await outcome(9, { times: 5, isWorthIt }),
    ];
  });
  assert.deepEqual(outcomes, [
    ["call 1", 1],
    ["call 3", 3],
    ["failure 3", 3],
    ["failure 2", 2],
  ]);
}
