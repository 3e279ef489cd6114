/** Cases, trials, graders, results, comparisons and reports. */

export { type AdapterCheck, type CheckAdapterOptions, checkAdapter } from "./adapter/index.ts";
export { type CalibrateOptions, calibrate, calibrationPage, type Doubtful } from "./calibrate.ts";
export { type CaptureOptions, capture } from "./capture.ts";
export { type Balance, balance, type Case, type CaseRow, readStretch } from "./cases/index.ts";
export {
  type CompareOptions,
  type Comparison,
  compare,
  compareSides,
  durationOf,
  type Gate,
  gateOf,
  gatesMissed,
  type PairReport,
  type Side,
  type SideReport,
  sideFold,
  spentIn,
  type Totals,
  toldApart,
  totals,
} from "./compare/index.ts";
export { openDefinition, withControls } from "./definition/index.ts";
export type { EntrantEntry } from "./entrants.ts";
export { type EvaluateOptions, evaluate } from "./evaluate.ts";
export type { Evaluation, EvaluationOptions } from "./evaluation.ts";
export { evaluationSchemas } from "./evaluation-schemas.ts";
export { type GradeOptions, grade } from "./grade.ts";
export type { GraderOptions, Judge, JudgeReply } from "./graders/index.ts";
export { planEvaluation } from "./plan-evaluation.ts";
export { type PreferenceResult, type PreferenceSummary, type Preferences, type PreferOptions, prefer } from "./prefer/index.ts";
export type { Progress } from "./progress.ts";
export { type Calibration, type Review, readCalibration } from "./read-calibration.ts";
export {
  caseDetails,
  csvReport,
  csvTrials,
  flakiest,
  htmlPieces,
  htmlReport,
  junitReport,
  markdownReport,
  shownTrials,
  textPreferences,
  textReport,
  trendMarkdown,
  trendText,
} from "./reports/index.ts";
export { readResults, trialsIn } from "./results/index.ts";
export { executeTrial, openTrialHost, type TrialHost } from "./running/index.ts";
export type { Limits } from "./scheduling/index.ts";
export type { Shard } from "./shard.ts";
export { summarize, summarizeAsMarkdown } from "./summarize.ts";
export { type Trend, type TrendOptions, trend } from "./trend/index.ts";
export {
  type AgentEntry,
  type AgentSettings,
  type CaptureResult,
  classOf,
  type EndpointSpec,
  type Entrant,
  type Grade,
  type Grader,
  type GraderInput,
  type GraderSpec,
  gradeIn,
  type TrialEntry,
  type TrialExecutor,
  type TrialResult,
  type TrialSpec,
  type TrialStatistics,
  type Verdict,
} from "./trial/index.ts";
export { trials } from "./trials.ts";
export { type ReferenceCheck, type ReferenceOptions, validateRefs } from "./validate-refs.ts";
