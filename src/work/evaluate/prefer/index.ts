export { configurationOf, judgedPair, type PreferenceLine, pairsToJudge } from "./judged-pair.ts";
export { type Opinion, type PreferenceSummary, preferenceSummary } from "./preference-summary.ts";
export { readAnswers } from "./read-answers.ts";
