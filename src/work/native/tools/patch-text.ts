import type { Hunk } from "../parse-patch.ts";

/** Applies the hunks, each one after the position of the last. Throws a sentence if one does not fit. */
export function patchText(text: string, hunks: readonly Hunk[], path: string): string {
  const lines = text.split("\n");
  const hasEnd = lines.at(-1) === "";
  if (hasEnd) lines.pop();
  let from = 0;
  for (const { anchor, before, after } of hunks) {
    if (anchor !== "") from = anchored(lines, anchor, from);
    const at = before.length === 0 ? (anchor === "" ? lines.length : from) : placeOf(lines, before, from);
    if (at === undefined)
      throw new Error(`${path} does not contain these lines in this order: ${JSON.stringify(before.slice(0, 5).join("\n"))}.`);
    lines.splice(at, before.length, ...after);
    from = at + after.length;
  }
  return lines.join("\n") + (hasEnd || lines.length > 0 ? "\n" : "");
}

/** An anchor is only a hint: it may be missing. */
function anchored(lines: readonly string[], anchor: string, from: number): number {
  const at = lines.findIndex((line, index) => index >= from && line.trim() === anchor);
  return at === -1 ? from : at + 1;
}

/** Matches exactly, else without trailing blanks, which models forget. */
function placeOf(lines: readonly string[], wanted: readonly string[], from: number): number | undefined {
  for (const same of [(a: string, b: string) => a === b, (a: string, b: string) => a.trimEnd() === b.trimEnd()]) {
    for (let at = from; at + wanted.length <= lines.length; at++) {
      if (wanted.every((line, index) => same(lines[at + index] ?? "", line))) return at;
    }
  }
  return undefined;
}
