import assert from "node:assert/strict";

export async function check({ ask, read }) {
  const answers = await ask("paths.js", ({ configPath, isInside }) => [
    configPath("/home/ada"),
    isInside("/srv", "a/b"),
    isInside("/srv", "../etc"),
  ]);
  assert.deepEqual(answers, ["/home/ada/.config/service.json", true, false]);
  assert.doesNotMatch(await read("paths.js"), /\brequire\s*\(|module\.exports/);
  assert.equal(JSON.parse(await read("package.json")).type, "module");
}
