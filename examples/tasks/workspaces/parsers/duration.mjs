/** "1h30m" in milliseconds. */
export function parseDuration(text) {
  throw new Error(`not written yet: ${text}`);
}
