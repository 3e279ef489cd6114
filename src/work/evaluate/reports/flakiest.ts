import type { ComparedCase, Comparison } from "../compare/index.ts";

/** The cases in which one side's trials disagree most. For these a single trial says least. */
export function flakiest({ cases }: Comparison, count: number): readonly ComparedCase[] {
  const spread = ({ cells }: ComparedCase) =>
    Math.max(0, ...cells.map(({ passes, graded }) => (graded < 2 ? 0 : Math.min(passes, graded - passes) / graded)));
  return [...cases]
    .filter((row) => spread(row) > 0)
    .sort((a, b) => spread(b) - spread(a))
    .slice(0, count);
}
