import type { Line } from "./text-file.ts";

/** How closely lines of a file must match what a model wrote. A weaker one is tried only if the stronger one matches nowhere. */
export const LIKENESSES = ["exact", "trailing whitespace", "whitespace"] as const;
export type Likeness = (typeof LIKENESSES)[number];

const KEYS: Readonly<Record<Likeness, (line: string) => string>> = {
  exact: (line) => line,
  "trailing whitespace": (line) => line.trimEnd(),
  whitespace: (line) => line.trim(),
};

/** Every place where these lines are, by index. */
export function placesOf(lines: readonly Line[], wanted: readonly string[], likeness: Likeness): readonly number[] {
  const key = KEYS[likeness];
  const keys = wanted.map(key);
  const found: number[] = [];
  for (let at = 0; at + keys.length <= lines.length; at++)
    if (keys.every((each, index) => key(lines[at + index]?.text ?? "") === each)) found.push(at);
  return found;
}

/** The place that is most like these lines, as a hint for the model; undefined if not even the first solid line is there. */
export function closest(lines: readonly Line[], wanted: readonly string[]): string | undefined {
  const keys = wanted.map(KEYS.whitespace);
  let best: { readonly at: number; readonly length: number } | undefined;
  for (let at = 0; at < lines.length; at++) {
    let length = 0;
    while (length < keys.length && at + length < lines.length && lines[at + length]?.text.trim() === keys[length]) length++;
    if (length > (best?.length ?? 0) && keys.slice(0, length).some((each) => each !== "")) best = { at, length };
  }
  if (best === undefined) return undefined;
  const there = lines[best.at + best.length];
  const what = there === undefined ? "the file ends" : `line ${best.at + best.length + 1} is ${JSON.stringify(there.text.slice(0, 200))}`;
  return `The first ${best.length === 1 ? "line matches" : `${best.length} lines match`} at line ${best.at + 1}, but then ${what} instead of ${JSON.stringify((wanted[best.length] ?? "").slice(0, 200))}.`;
}
