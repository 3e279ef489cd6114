import assert from "node:assert/strict";

export async function check({ ask }) {
  const pairs = [
    ["/srv", "a/b"],
    ["/srv", "../srv-other/x"],
    ["/srv", "../srv"],
    ["/srv/", "x"],
    ["/srv", "/etc/passwd"],
    ["/srv", "a/../../x"],
    ["/", "etc"],
  ];
  const inside = await ask("paths.js", ({ isInside }, all) => all.map(([folder, file]) => isInside(folder, file)), pairs);
  assert.deepEqual(inside, [true, false, true, true, false, false, true]);
}
