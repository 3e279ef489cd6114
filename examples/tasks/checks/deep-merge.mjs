import assert from "node:assert/strict";

export async function check({ ask }) {
  const [merged, defaults, settings, polluted] = await ask("merge.mjs", ({ merge }) => {
    const a = { log: { level: "info", to: "file" }, tags: ["a", "b"], limit: 5, name: null };
    const b = JSON.parse(
      '{"log":{"level":"debug"},"tags":["c"],"limit":null,"new":{"x":1},"name":{"first":"Ada"},"__proto__":{"bad":1},"constructor":{"prototype":{"bad":1}}}',
    );
    const both = merge(a, b);
    both.tags.push("d");
    both.log.to = "nowhere";
    const { constructor: _, ...rest } = both;
    return [rest, a, b.tags, {}.bad];
  });
  assert.deepEqual(merged, {
    log: { level: "debug", to: "nowhere" },
    tags: ["c", "d"],
    limit: null,
    name: { first: "Ada" },
    new: { x: 1 },
  });
  assert.deepEqual(defaults, { log: { level: "info", to: "file" }, tags: ["a", "b"], limit: 5, name: null });
  assert.deepEqual([settings, polluted], [["c"], undefined]);
}
