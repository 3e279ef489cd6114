/**
 * A text that is too long: a quarter from its beginning and the rest from its end, because a build reports its failure last. Ends at line
 * ends if there are any near. `end` is the end of a text of which `missing` bytes in the middle are not available.
 */
export function headAndTail(text: string, most: number, end?: { readonly text: string; readonly missing: number }): string {
  const whole = (end === undefined ? text : end.text).trimEnd();
  if (end === undefined && whole.length <= most) return whole;
  const head = wholeLines(text.slice(0, Math.floor(most / 4)), "start");
  const tail = wholeLines(whole.slice(-(most - head.length)), "end");
  const missing = text.length + (end === undefined ? 0 : end.missing + end.text.length) - head.length - tail.length;
  return `${head}\n… (about ${missing} characters left out)\n${tail}`;
}

/** A line that is cut loses its other half only if most of the text remains. */
function wholeLines(text: string, keep: "start" | "end"): string {
  const at = keep === "start" ? text.lastIndexOf("\n") : text.indexOf("\n");
  if (keep === "start") return at > text.length / 2 ? text.slice(0, at) : text;
  return at !== -1 && at < text.length / 2 ? text.slice(at + 1) : text;
}
