import assert from "node:assert/strict";

export async function check({ ask }) {
  const texts = ["a=1&b=2&b=3&b=4", "q=two+words&x=%C3%A9", "flag&e=", "", "a=b=c"];
  const parsed = await ask("query.mjs", ({ parseQuery }, all) => all.map((text) => ({ ...parseQuery(text) })), texts);
  assert.deepEqual(parsed, [{ a: "1", b: ["2", "3", "4"] }, { q: "two words", x: "é" }, { flag: "", e: "" }, {}, { a: "b=c" }]);
}
