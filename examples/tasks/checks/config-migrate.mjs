import assert from "node:assert/strict";

export async function check({ read }) {
  assert.deepEqual(JSON.parse(await read("config.json")), {
    version: 2,
    listen: "localhost:8080",
    database: { url: "postgres://db/app", pool: 5 },
    logLevel: "debug",
    features: ["search", "export"],
  });
}
