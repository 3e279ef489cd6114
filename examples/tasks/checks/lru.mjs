import assert from "node:assert/strict";

export async function check({ ask }) {
  const seen = await ask("lru.mjs", ({ Lru }) => {
    const cache = new Lru(2);
    cache.set("a", 1);
    cache.set("b", undefined);
    cache.get("a");
    cache.set("c", 3);
    const first = ["a", "b", "c"].map((key) => cache.get(key));
    cache.set("a", 10);
    cache.set("d", 4);
    const many = new Lru(100);
    for (let i = 0; i < 1000; i++) many.set(i, i);
    return [first, ["a", "c", "d"].map((key) => cache.get(key)), many.get(899), many.get(900)];
  });
  assert.deepEqual(seen, [[1, undefined, 3], [10, undefined, 4], undefined, 900]);
}
