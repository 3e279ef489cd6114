export { type CompareOptions, compare } from "./compare.ts";
export { type Cell, type ComparedCase, type Comparison, compareSides, type PairReport, type SideReport } from "./compare-sides.ts";
export { durationOf, gradeIn, labelOf, outcomeOf, sideFold, toldApart } from "./read-sides.ts";
export type { Side } from "./scores.ts";
