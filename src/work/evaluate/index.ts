/** Cases, trials, graders, results, comparisons and reports. */

export { type AdapterCheck, judgeConversation } from "./adapter/index.ts";
export { balanceOf } from "./balance.ts";
export { calibrationPage, sampleDoubtful } from "./calibration.ts";
export { capturePlan } from "./capture-plan.ts";
export { openCaseFile, readStretch } from "./cases/index.ts";
export {
  configurationOf,
  durationOf,
  gradeIn,
  judgedPair,
  type Opinion,
  outcomeOf,
  type PreferenceLine,
  pairsToJudge,
  preferenceSummary,
  readAnswers,
  readSides,
  type Side,
  sideFold,
  toldApart,
} from "./compare/index.ts";
export { evaluate, type Progress, type TrialPlan } from "./evaluation.ts";
export { regraded } from "./grade-results.ts";
export { agentJudge, endpointJudge, findGraders, type Judge, rubricIn } from "./graders/index.ts";
export {
  casesTable,
  csvReport,
  flakiest,
  htmlReport,
  junitReport,
  markdownReport,
  pairsTable,
  preferencesTable,
  type Report,
  reportOf,
  sidesTable,
  type Table,
  textTable,
} from "./reports/index.ts";
export { capturesOf, openJournal, openResultFile, type ResultFile, readResults, trialsIn } from "./results/index.ts";
export { defaultLimits, openTemplates, parseLimits } from "./running/index.ts";
export { type CaptureLine, type Configuration, type Entrant, type Grader, hashOf, isLost, type TrialLine } from "./trial/index.ts";
export { trialsPlan } from "./trials-plan.ts";
export { checkReference } from "./validate-references.ts";
