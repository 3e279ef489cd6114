/**
 * The text, or its beginning as a string of its own: what `slice` gives keeps the whole text alive, and of a line of 16 MiB
 * ten such beginnings cost half a gigabyte.
 */
export function clipped(text: string, cap: number): string {
  if (text.length <= cap) return text;
  return `${text.slice(0, cap).split("").join("")}…`;
}
