/** Cases, trials, graders, results, comparisons and reports. */

export { type AdapterCheck, judgeConversation } from "./adapter/index.ts";
export { calibrationPage, sampleDoubtful } from "./calibrate.ts";
export { balanceOf, openCaseFile, readStretch } from "./cases/index.ts";
export { durationOf, gradeIn, outcomeOf, readSides, type Side, sideFold, toldApart } from "./compare/index.ts";
export { evaluate, type Progress, type TrialPlan } from "./evaluation.ts";
export { regraded } from "./grade.ts";
export { agentJudge, endpointJudge, findGraders, type Judge, rubricIn } from "./graders/index.ts";
export {
  configurationOf,
  judgedPair,
  type Opinion,
  type PreferenceLine,
  pairsToJudge,
  preferenceSummary,
  readAnswers,
} from "./prefer/index.ts";
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
export { openTemplates } from "./running/index.ts";
export { capturePlan, defaultLimits, parseLimits, trialsPlan } from "./scheduling/index.ts";
export { type CaptureLine, type Configuration, type Entrant, type Grader, hashOf, isLost, type TrialLine } from "./trial/index.ts";
export { checkReference } from "./validate-refs.ts";
