/** A model that is asked for an opinion. */
export interface Judge {
  readonly name: string;
  /** Its whole answer; rejects where there is none. */
  ask(prompt: string, signal: AbortSignal): Promise<string>;
}

/** The last JSON object in a text: judges like to think aloud before it. Undefined: there is none. */
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
        // An inner brace: the object begins earlier.
      }
      if (start === 0) break;
    }
    if (end === 0) break;
  }
  return undefined;
}
