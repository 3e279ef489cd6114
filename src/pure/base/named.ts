/** The message for an unknown name: suggests the nearest known one and lists them all. */
export function namedOrSuggest(what: string, name: string, known: readonly string[]): string {
  const similar = nearest(name, known);
  const hint = similar === undefined ? "" : ` Did you mean ${similar}?`;
  return `There is no ${what} called "${shown(name)}".${hint} Known: ${known.join(", ")}.`;
}

/** The known name that differs from this one in at most two characters. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  return best !== undefined && best.distance <= 2 ? best.candidate : undefined;
}

function shown(name: string): string {
  const short = name.length > 60 ? `${name.slice(0, 60)}…` : name;
  return short.replace(/\p{C}/gu, "?");
}

function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 3;
}
