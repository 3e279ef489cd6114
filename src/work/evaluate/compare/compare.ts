import { HarnessError, namedOrSuggest } from "../../../pure/base/index.ts";
import { compareSides } from "./compare-sides.ts";
import type { Comparison } from "./comparison.ts";
import { type Counting, readSides } from "./read-sides.ts";

export interface CompareOptions extends Counting {
  /** The side to compare with. Default: the first one in the first file, by name. */
  readonly baseline?: string;
  /** The same, if there is such a side. */
  readonly preferred?: string | undefined;
  /** The seed of the bootstrap. Default: 1. */
  readonly seed?: number | string;
  /** The confidence of intervals and tests. Default: 0.95. */
  readonly confidence?: number;
}

/** How the sides in these results files did, and how each two differ, paired by the same trial of the same case. */
export function compare(results: readonly string[], { baseline, preferred, ...options }: CompareOptions = {}): Comparison {
  const sides = readSides(results, options);
  const labels = sides.map(({ label }) => label);
  const place = labels.indexOf(baseline ?? preferred ?? "");
  if (place === -1 && baseline === undefined) return compareSides(sides, options);
  if (baseline !== undefined && place === -1) throw new HarnessError("usage", namedOrSuggest("side", baseline, labels));
  return compareSides([...sides.splice(place, 1), ...sides], options);
}
