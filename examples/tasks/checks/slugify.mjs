import assert from "node:assert/strict";

export async function check({ ask }) {
  const titles = ["Hello, World", "  Crème brûlée!  ", "a -- b", "100 %", "Ångström & Co.", ""];
  const slugs = await ask("slugify.mjs", ({ slugify }, all) => all.map(slugify), titles);
  assert.deepEqual(slugs, ["hello-world", "creme-brulee", "a-b", "100", "angstrom-co", ""]);
}
