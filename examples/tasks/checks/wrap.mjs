import assert from "node:assert/strict";

export async function check({ ask }) {
  const texts = [
    ["the quick brown fox", 10],
    ["  much   space\nhere ", 6],
    ["a incomprehensible b", 5],
    ["", 5],
    ["exactly ten", 11],
  ];
  const wrapped = await ask("wrap.mjs", ({ wrap }, all) => all.map(([text, width]) => wrap(text, width)), texts);
  assert.deepEqual(wrapped, [
    ["the quick", "brown fox"],
    ["much", "space", "here"],
    ["a", "incom", "prehe", "nsibl", "e b"],
    [],
    ["exactly ten"],
  ]);
}
