import assert from "node:assert/strict";

export async function check({ run }) {
  assert.deepEqual(JSON.parse((await run("notes.mjs", ["list", "--json"])).stdout), []);
  await run("notes.mjs", ["add", "Buy", "milk"]);
  await run("notes.mjs", ["add", '"quoted"']);
  assert.deepEqual(JSON.parse((await run("notes.mjs", ["list", "--json"])).stdout), [
    { id: 1, text: "Buy milk" },
    { id: 2, text: '"quoted"' },
  ]);
  assert.equal((await run("notes.mjs", ["list"])).stdout, '1. Buy milk\n2. "quoted"\n');
}
