import assert from "node:assert/strict";

export async function check({ run }) {
  for (const args of [["remove", "1"], [], ["add"]]) {
    const { code, stdout, stderr } = await run("notes.mjs", args);
    assert.deepEqual({ args, code, stdout }, { args, code: 2, stdout: "" });
    assert.match(stderr, /usage/i);
  }
  assert.equal((await run("notes.mjs", ["add", "Tea"])).code, 0);
  assert.deepEqual(await run("notes.mjs", ["list"]), { code: 0, stdout: "1. Tea\n", stderr: "" });
}
