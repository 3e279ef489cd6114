import assert from "node:assert/strict";

export async function check({ ask }) {
  const needs = { app: ["ui", "db"], ui: ["core"], db: ["core", "log"], core: [], tool: ["app"], constructor: ["core"] };
  const [order, circle] = await ask(
    "order.mjs",
    ({ orderOf }, all) => {
      try {
        return [orderOf(all), orderOf({ a: ["b"], b: ["c"], c: ["b"] })];
      } catch (error) {
        return [orderOf(all), error.message];
      }
    },
    needs,
  );
  assert.deepEqual([...order].sort(), ["app", "constructor", "core", "db", "log", "tool", "ui"]);
  for (const [name, others] of Object.entries(needs))
    for (const other of others) assert.ok(order.indexOf(other) < order.indexOf(name), `${other} is not before ${name}`);
  assert.match(String(circle), /b.*c/);
}
