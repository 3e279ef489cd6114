/** A recorded request, for a comparison. */
export interface Candidate {
  /** Its number in the recording. */
  readonly call: number;
  readonly lines: readonly string[];
}

/** Finds the recorded request that a new one repeats. Each is taken once. */
export interface Matcher {
  /** The first recorded request with these lines that was not taken yet. */
  take(lines: readonly string[]): number | undefined;
  /** The most similar one that was not taken yet; undefined if none has anything in common with it. */
  nearest(lines: readonly string[]): number | undefined;
  /** Marks one as taken. */
  use(call: number): void;
  readonly left: readonly number[];
  linesOf(call: number): readonly string[];
}

/** `digest`: equal for equal texts, and for no others. */
export function matcher(recorded: readonly Candidate[], digest: (text: string) => string): Matcher {
  const left = new Map(recorded.map((each) => [each.call, each]));
  const equal = new Map<string, number[]>(); // in the order of the recording
  const keyOf = (lines: readonly string[]) => digest(lines.join("\n"));
  for (const { call, lines } of recorded) {
    const key = keyOf(lines);
    equal.set(key, [...(equal.get(key) ?? []), call]);
  }
  const all = new Map(recorded.map((each) => [each.call, each.lines]));
  return {
    take(lines) {
      const call = equal.get(keyOf(lines))?.find((each) => left.has(each));
      if (call !== undefined) left.delete(call);
      return call;
    },
    nearest(lines) {
      const counts = counted(lines);
      let best: { readonly call: number; readonly common: number } | undefined;
      for (const { call, lines: other } of left.values()) {
        if (other[0] !== lines[0]) continue; // a different method or path
        const common = commonIn(counts, other) - Math.abs(other.length - lines.length) / 2;
        if (best === undefined || common > best.common) best = { call, common };
      }
      return best?.call;
    },
    use: (call) => void left.delete(call),
    get left() {
      return [...left.keys()];
    },
    linesOf: (call) => all.get(call) ?? [],
  };
}

function counted(lines: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

function commonIn(counts: ReadonlyMap<string, number>, lines: readonly string[]): number {
  const rest = new Map(counts);
  let common = 0;
  for (const line of lines) {
    const count = rest.get(line) ?? 0;
    if (count === 0) continue;
    rest.set(line, count - 1);
    common++;
  }
  return common;
}

/** A line that only one side has. */
export interface DiffLine {
  readonly side: "recorded" | "now";
  readonly text: string;
}

const LONGEST = 400;

/** The lines in which two requests differ, the first ones first, and how many more there are. */
export function differences(
  recorded: readonly string[],
  now: readonly string[],
  most: number,
): { readonly lines: readonly DiffLine[]; readonly more: number } {
  let start = 0;
  while (start < recorded.length && start < now.length && recorded[start] === now[start]) start++;
  const [before, after] = [counted(recorded.slice(start)), counted(now.slice(start))];
  const only = (lines: readonly string[], other: ReadonlyMap<string, number>, side: DiffLine["side"]) => {
    const rest = new Map(other);
    return lines.slice(start).flatMap((text, i) => {
      const count = rest.get(text) ?? 0;
      if (count > 0) rest.set(text, count - 1);
      return count > 0 ? [] : [{ side, text, at: i }];
    });
  };
  const found = [...only(recorded, after, "recorded"), ...only(now, before, "now")].sort((a, b) => a.at - b.at);
  const lines = found.slice(0, most).map(({ side, text }) => ({ side, text: shown(text, found) }));
  return { lines, more: found.length - lines.length };
}

/** Of a long line, the part in which it differs. */
function shown(text: string, found: readonly { readonly text: string }[]): string {
  if (text.length <= LONGEST) return text;
  const place = text.slice(0, text.indexOf(": ") + 2);
  const pair = found.find((each) => each.text !== text && each.text.startsWith(place));
  let same = place.length;
  while (pair !== undefined && same < text.length && text[same] === pair.text[same]) same++;
  const from = Math.max(place.length, same - 80);
  return `${place}${from > place.length ? "…" : ""}${text.slice(from, from + LONGEST)}${from + LONGEST < text.length ? "…" : ""}`;
}
