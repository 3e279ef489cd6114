export { type CompareOptions, compare } from "./compare.ts";
export { compareSides, judged, pairOf } from "./compare-sides.ts";
export {
  type Cell,
  type ComparedCase,
  type Comparison,
  comparison,
  type PairReport,
  pairReport,
  type SideReport,
  sideReport,
} from "./comparison.ts";
export { type Gate, gateOf, gatesMissed } from "./gates.ts";
export { type Counting, durationOf, labelOf, readEvaluations, sideFold, spentIn, toldApart } from "./read-sides.ts";
export type { Side } from "./scores.ts";
export { type Totals, totals } from "./totals.ts";
