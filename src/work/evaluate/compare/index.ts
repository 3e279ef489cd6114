export { type CompareOptions, compare } from "./compare.ts";
export { compareSides } from "./compare-sides.ts";
export { type Cell, type ComparedCase, type Comparison, comparison, type PairReport, type SideReport } from "./comparison.ts";
export { durationOf, labelOf, sideFold, spentIn, toldApart } from "./read-sides.ts";
export type { Side } from "./scores.ts";
export { type Totals, totals } from "./totals.ts";
