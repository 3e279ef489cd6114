/** "a=1&b=2&b=3" is { a: "1", b: ["2", "3"] }. */
export function parseQuery(text) {
  const values = new Map();
  for (const [name, value] of new URLSearchParams(text)) {
    const before = values.get(name);
    values.set(name, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(values);
}
