import assert from "node:assert/strict";

export async function check({ run, read, write }) {
  await write("notes.json", "[{oops");
  for (const args of [["list"], ["add", "x"]]) {
    const { code, stdout, stderr } = await run("notes.mjs", args);
    assert.deepEqual({ code, stdout }, { code: 1, stdout: "" });
    assert.match(stderr, /notes\.json/);
    assert.doesNotMatch(stderr, /\n\s+at /);
  }
  assert.equal(await read("notes.json"), "[{oops");
  await write("notes.json", '[{"id":1,"text":"Tea"}]');
  assert.equal((await run("notes.mjs", ["list"])).stdout, "1. Tea\n");
}
