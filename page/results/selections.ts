import type { ResultCell } from "../../src/pure/timeline/index.ts";

type Cells = readonly ResultCell[];

/** Ways to filter the cases. */
export const selections: readonly [Selection, ...Selection[]] = [
  { id: "all", title: "all cases", holds: () => true },
  { id: "differ", title: "sides differ", holds: (cells) => new Set(rates(cells)).size > 1 },
  { id: "flaky", title: "trials disagree", holds: (cells) => rates(cells).some((rate) => rate > 0 && rate < 1) },
  { id: "failed", title: "no one passed", holds: (cells) => rates(cells).length > 0 && rates(cells).every((rate) => rate === 0) },
  { id: "troubled", title: "trials that do not count", holds: (cells) => cells.some(([graded, ...classes]) => total(classes) > graded) },
];

interface Selection {
  readonly id: string;
  readonly title: string;
  readonly holds: (cells: Cells) => boolean;
}

export function rateOf([graded, passed = 0]: ResultCell): number | null {
  return graded === 0 ? null : passed / graded;
}

export function total(classes: readonly number[]): number {
  return classes.reduce((sum, count) => sum + count, 0);
}

function rates(cells: Cells): readonly number[] {
  return cells.flatMap((cell) => rateOf(cell) ?? []);
}
