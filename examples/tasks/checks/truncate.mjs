import assert from "node:assert/strict";

export async function check({ ask }) {
  const cut = await ask("truncate.mjs", ({ truncate }) => [
    truncate("abcdef", 4),
    truncate("abcd", 4),
    truncate("😀😀😀😀", 3),
    truncate("😀😀", 2),
  ]);
  assert.deepEqual(cut, ["abc…", "abcd", "😀😀…", "😀😀"]);
}
