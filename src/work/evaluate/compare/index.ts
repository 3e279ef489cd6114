export { type CompareOptions, type Comparison, compareSides } from "./compare-sides.ts";
export { configurationOf, judgedPair, type PreferenceLine, pairsToJudge } from "./prefer.ts";
export { type Opinion, type PreferenceSummary, preferenceSummary } from "./preference-summary.ts";
export { readAnswers } from "./read-answers.ts";
export { durationOf, gradeIn, outcomeOf, readSides, sideFold, toldApart } from "./read-sides.ts";
export type { Side } from "./scores.ts";
