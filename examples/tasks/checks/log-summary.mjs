import assert from "node:assert/strict";

export async function check({ run }) {
  const log = "1.1.1.1 GET /a 200 12\n1.1.1.2 GET /b 404 3\nnonsense\n1.1.1.1 POST /b 200 250\n1.1.1.1 GET /a 500 9\n";
  const { code, stdout } = await run("summary.mjs", [], log);
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(stdout), { requests: 4, statuses: { 200: 2, 404: 1, 500: 1 }, busiest: "/a", slowest: 250 });
  const empty = await run("summary.mjs", [], "");
  assert.deepEqual(JSON.parse(empty.stdout), { requests: 0, statuses: {}, busiest: null, slowest: 0 });
}
