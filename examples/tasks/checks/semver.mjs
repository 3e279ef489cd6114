import assert from "node:assert/strict";

export async function check({ ask }) {
  const sorted = ["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0", "1.2.0", "1.10.0", "2.0.0"];
  const signs = await ask(
    "semver.mjs",
    ({ compareVersions }, all) => all.map((a) => all.map((b) => Math.sign(compareVersions(a, b)))),
    sorted,
  );
  assert.deepEqual(
    signs,
    sorted.map((_, a) => sorted.map((__, b) => Math.sign(a - b))),
  );
  assert.equal(await ask("semver.mjs", ({ compareVersions }) => Math.abs(compareVersions("1.0.0+a", "1.0.0+b"))), 0);
}
