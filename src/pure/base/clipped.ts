/**
 * The text, or a copy of its beginning. A plain `slice` would keep the whole text in memory: ten beginnings of 16 MiB lines cost
 * half a gigabyte.
 */
export function clipped(text: string, cap: number): string {
  if (text.length <= cap) return text;
  return `${text.slice(0, cap).split("").join("")}…`;
}
