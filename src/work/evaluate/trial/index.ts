export { type AgentEntry, type AgentSettings, learnSettings, plain, runOptionsOf, settingsOf } from "./agent-settings.ts";
export { classified, classOf, gradeIn, isRepeated, isUnverified, withGrade } from "./class-of.ts";
export { type Configuration, caseHash, differences, hashOf } from "./configuration.ts";
export { changesSince, keepConfiguration } from "./configurations.ts";
export { type Grade, type Graded, isGraded, rate } from "./grade.ts";
export type { Grader, GraderInput, PreparedGrader, Verdict } from "./grader.ts";
export { type Judging, judging, judgingOf, sumJudging, usedBy } from "./judging.ts";
export { agentIn, type LocalCode, localCode, nameOfAgent, nameOfGrader } from "./local-code.ts";
export {
  type Behavior,
  type CaptureResult,
  captureResult,
  type Durations,
  interval,
  type LostAttempt,
  type Machine,
  type RunFacts,
  runFactsIn,
  type Stopping,
  sha256,
  type TrialEntry,
  type TrialResult,
  type TrialStatistics,
  trialResult,
} from "./result.ts";
export { makeTrialFolders, type TrialFolders, wallsOfTrial } from "./trial-folders.ts";
export {
  type CaseTask,
  checkTrialSpec,
  type EndpointSpec,
  type Entrant,
  type GraderSpec,
  type JudgeSpec,
  type TrialExecutor,
  type TrialSpec,
} from "./trial-spec.ts";
export type { WorkspaceLayer } from "./workspace-layer.ts";
