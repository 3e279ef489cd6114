/** How much of the larger file consists of lines that are in the other one too, in bytes, of 1: order does not count. */
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

/** With their newlines; one character is one byte. */
export function linesOf(bytes: Buffer): string[] {
  return bytes.toString("latin1").match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
