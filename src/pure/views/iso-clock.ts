/** Epoch milliseconds to ISO 8601. Caches the last result: neighbouring events mostly share their millisecond. */
export function isoClock(): (at: number) => string {
  let lastAt = Number.NaN;
  let lastText = "";
  return (at) => {
    if (at !== lastAt) {
      lastAt = at;
      lastText = new Date(at).toISOString();
    }
    return lastText;
  };
}
