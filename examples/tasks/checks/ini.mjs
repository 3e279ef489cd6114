import assert from "node:assert/strict";

export async function check({ ask }) {
  const text = "top = 1\n; a comment\n# another\n\n[ db ]\r\nurl = a=b\nempty=\n[__proto__]\npolluted = yes\n[db]\nmore = 2\n";
  const [sections, polluted] = await ask("ini.mjs", ({ parseIni }, t) => [JSON.stringify(parseIni(t)), {}.polluted], text);
  const wanted = JSON.parse('{"":{"top":"1"},"db":{"url":"a=b","empty":"","more":"2"},"__proto__":{"polluted":"yes"}}');
  assert.deepEqual(JSON.parse(sections), wanted);
  assert.equal(polluted, undefined);
}
