/** A write for each item would cost more than the items. */
const LARGE = 1024 * 1024;

/** A line of JSON, item by item: a whole run can be longer than the longest string. */
export function* jsonParts(record: object): Generator<string> {
  let before = "{";
  for (const [name, value] of Object.entries(record)) {
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    before = ",";
    if (Array.isArray(value)) yield* listParts(value);
    else yield JSON.stringify(value);
  }
  yield before === "{" ? "{}\n" : "}\n";
}

function* listParts(items: readonly unknown[]): Generator<string> {
  let before = "[";
  for (const item of items) {
    yield before + (JSON.stringify(item) ?? "null");
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}

/** The same text in large parts. */
export function* joinedParts(parts: Iterable<string>): Generator<string> {
  let joined = "";
  for (const part of parts) {
    joined += part;
    if (joined.length < LARGE) continue;
    yield joined;
    joined = "";
  }
  if (joined !== "") yield joined;
}
