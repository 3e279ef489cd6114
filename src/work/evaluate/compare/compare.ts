import { HarnessError, namedOrSuggest } from "../../../pure/base/index.ts";
import { compareSides } from "./compare-sides.ts";
import type { Comparison } from "./comparison.ts";
import { readSides } from "./read-sides.ts";

export interface CompareOptions {
  /** The side to beat. Default: the first of the first file, by name. */
  readonly baseline?: string;
  /** What the bootstrap is drawn by. Default: 1. */
  readonly seed?: number | string;
  /** Of the intervals and tests. Default: 0.95. */
  readonly confidence?: number;
}

/** How the sides in these results files did, and how every two of them differ: by pairs of the same trial of the same case. */
export function compare(results: readonly string[], { baseline, ...options }: CompareOptions = {}): Comparison {
  const sides = readSides(results);
  if (baseline === undefined) return compareSides(sides, options);
  const labels = sides.map(({ label }) => label);
  const place = labels.indexOf(baseline);
  if (place === -1) throw new HarnessError("usage", namedOrSuggest("side", baseline, labels));
  return compareSides([...sides.splice(place, 1), ...sides], options);
}
