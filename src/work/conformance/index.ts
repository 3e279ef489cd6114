/** The real CLIs against the scripted model: pins, sandbox, judge, drift. */

export { pins } from "./agents/index.ts";
export { type Conformance, conform, type Progress } from "./conform.ts";
export { corpus } from "./corpus.ts";
export type { CorpusScenario } from "./corpus-scenario.ts";
export type { Drift } from "./drift.ts";
export { exceptionsOf } from "./exceptions.ts";
export { findCli, whyNotHere } from "./find-cli.ts";
export { modelGuide } from "./model-guide.ts";
export { recordedShapes } from "./recorded-shapes.ts";
export { writeReport } from "./report-page.ts";
export { type RerunSummary, rerunCorpus } from "./rerun-corpus.ts";
export type { Self } from "./self.ts";
export { coverageWords, isGood, type ScenarioSummary, type Summary } from "./summary.ts";
