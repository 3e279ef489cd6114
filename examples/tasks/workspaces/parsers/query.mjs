/** "a=1&b=2" is { a: "1", b: "2" }. */
export function parseQuery(text) {
  return Object.fromEntries(text.split("&").map((pair) => pair.split("=")));
}
