export function jsonLines<Line = unknown>(text: string): readonly Line[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}
