import type { Damage } from "./run-reader.ts";

/** One sentence about the unreadable records of a run. The bytes they describe are shown anyway. */
export function damageNotice(directory: string, damages: readonly Damage[]): string | undefined {
  const [first] = damages;
  if (first === undefined) return undefined;
  const others = damages.length === 1 ? "" : `, and ${damages.length - 1} more`;
  const where = first.line === 0 ? `byte ${first.offset}` : `line ${first.line} (byte ${first.offset})`;
  return `${directory}/${first.file} is damaged at ${where}: ${first.problem}${others}; the rest is shown`;
}
