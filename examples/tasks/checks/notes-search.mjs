import assert from "node:assert/strict";

export async function check({ run }) {
  for (const note of ["Buy milk", "Call Ada", "More MILK tea"]) await run("notes.mjs", ["add", note]);
  assert.deepEqual(await run("notes.mjs", ["search", "Milk"]), { code: 0, stdout: "1. Buy milk\n3. More MILK tea\n", stderr: "" });
  assert.equal((await run("notes.mjs", ["search", "milk", "tea"])).stdout, "3. More MILK tea\n");
  assert.deepEqual(await run("notes.mjs", ["search", "a.a"]), { code: 1, stdout: "", stderr: "" });
}
