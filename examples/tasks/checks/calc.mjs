import assert from "node:assert/strict";

export async function check({ ask, read }) {
  const texts = ["1 + 2 * 3", "(1+2)*3", "2 - 3 - 4", "8 / 2 / 2", "-(2 + 1) * -2", "1.5*2", "2 * (3", "1 +", "a", "1 2", ""];
  const values = await ask(
    "calc.mjs",
    ({ calculate }, all) =>
      all.map((text) => {
        try {
          return calculate(text);
        } catch (error) {
          return error.name;
        }
      }),
    texts,
  );
  assert.deepEqual(values, [7, 9, -5, 2, 6, 3, ...Array(5).fill("SyntaxError")]);
  assert.doesNotMatch(await read("calc.mjs"), /\beval\b|\bFunction\b|node:vm/, "it lets JavaScript evaluate the text");
}
