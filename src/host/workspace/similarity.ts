/** The share of the larger file, in bytes, that consists of lines the other one has too, in any order. From 0 to 1. */
export function similarity(a: Buffer, b: Buffer): number {
  const lines = new Map<string, number>();
  for (const line of linesOf(a)) lines.set(line, (lines.get(line) ?? 0) + 1);
  let common = 0;
  for (const line of linesOf(b)) {
    const left = lines.get(line) ?? 0;
    if (left === 0) continue;
    lines.set(line, left - 1);
    common += line.length;
  }
  return common / Math.max(a.length, b.length, 1);
}

/** Lines with their newlines, one character per byte. */
export function linesOf(bytes: Buffer): string[] {
  return bytes.toString("latin1").match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
