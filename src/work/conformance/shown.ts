/** A value for use in a sentence, shortened if it is long. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= 400 ? text : `${text.slice(0, 200)} … ${text.slice(-60)} (${text.length} characters)`;
}

/** Empty, or one sentence that says how the two differ. */
export function same(what: string, expected: unknown, found: unknown): readonly string[] {
  return expected === found ? [] : [`${what}: expected ${shown(expected)}, found ${shown(found)}`];
}
