/** Merges spans [from, to] that overlap or touch. */
export function mergeSpans(spans) {
  const merged = [];
  for (const [from, to] of spans) {
    const last = merged.at(-1);
    if (last && from < last[1]) last[1] = to;
    else merged.push([from, to]);
  }
  return merged;
}
