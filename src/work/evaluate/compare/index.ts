export { type CompareOptions, type Comparison, compareSides } from "./compare-sides.ts";
export { durationOf, gradeIn, labelOf, outcomeOf, readSides, sideFold, toldApart } from "./read-sides.ts";
export type { Side } from "./scores.ts";
