/** A model that gives an opinion. */
export interface Judge {
  readonly name: string;
  /** Its whole answer; rejects if there is none. */
  ask(prompt: string, signal: AbortSignal): Promise<string>;
}

/** The last JSON object in a text, because judges like to think aloud first; undefined if there is none. */
export function lastObject(text: string): unknown {
  for (let end = text.lastIndexOf("}"); end !== -1; end = text.lastIndexOf("}", end - 1)) {
    for (
      let start = text.lastIndexOf("{", end), tries = 0;
      start !== -1 && tries < 200;
      start = text.lastIndexOf("{", start - 1), tries++
    ) {
      try {
        return JSON.parse(text.slice(start, end + 1));
      } catch {
        // An inner brace: the object starts earlier.
      }
      if (start === 0) break;
    }
    if (end === 0) break;
  }
  return undefined;
}
