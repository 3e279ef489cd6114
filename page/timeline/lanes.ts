import type { Lane } from "../../src/pure/timeline/index.ts";

/** A subagent's name, the same wherever it appears; without a name, the end of its id. */
export function laneLabel(lane: Lane | undefined): string {
  return lane?.name ?? lane?.id?.slice(-4) ?? "";
}

/** The nesting depth of each subagent. */
export function depths(lanes: readonly Lane[]): readonly number[] {
  const found: number[] = [0];
  for (let i = 1; i < lanes.length; i++) {
    const from = lanes[i]?.from ?? 0;
    found.push(from < i ? (found[from] ?? 0) + 1 : 1);
  }
  return found;
}
