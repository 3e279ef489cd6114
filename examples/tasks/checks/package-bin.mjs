import assert from "node:assert/strict";

export async function check({ read, run }) {
  const { bin, engines, ...rest } = JSON.parse(await read("package.json"));
  assert.match(typeof bin === "string" ? bin : String(bin?.service), /^(?:\.\/)?serve\.mjs$/);
  assert.match(String(engines?.node), /^>=\s*20/);
  assert.deepEqual(rest, { name: "service", version: "1.0.0", type: "module", scripts: { start: "node serve.mjs" } });
  assert.match(await read("serve.mjs"), /^#!\/usr\/bin\/env node\n/);
  assert.equal((await run("serve.mjs")).stdout, "serving\n");
}
