import { type JsonObject, parseObject } from "../../../pure/base/index.ts";

/** A longer verdict is not one. Both limits bound the search for its start. */
const LONGEST = 32 * 1024;
const MOST_STARTS = 1000;

/**
 * The JSON object at the end of an answer, if it repeats the nonce: judges think aloud first, and quote what they judge. The agent under
 * judgement cannot know the nonce. An object with a key twice is rejected, because a quotation that was not escaped can add a second
 * `pass`. A code fence around the object is allowed.
 */
export function verdictIn(answer: string, nonce: string): JsonObject | undefined {
  const text = answer
    .trimEnd()
    .replace(/\n`{3,}$/, "")
    .trimEnd()
    .slice(-LONGEST);
  let start = text.lastIndexOf(nonce);
  for (let tries = 0; start > 0 && tries < MOST_STARTS; tries++) {
    start = text.lastIndexOf("{", start - 1);
    const object = start === -1 ? undefined : parseObject(text.slice(start));
    if (object?.["nonce"] === nonce) return keysIn(text.slice(start)) === Object.keys(object).length ? object : undefined;
  }
  return undefined;
}

/** How many keys the outermost object of a valid JSON text has, counting repeated ones. */
function keysIn(text: string): number {
  let depth = 0;
  let keys = 0;
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    else if (token === ":" && depth === 1) keys++;
  }
  return keys;
}
