export { afterDashes } from "./after-dashes.ts";
export { type AgentFlags, addAgentOptions } from "./agent-options.ts";
export { complaint, rejectOption } from "./complaint.ts";
export { currentDirectory } from "./current-directory.ts";
export { addEvaluationOptions, type EvaluationFlags, gateOption, limitsOption, outOfTimeOption, seedOption } from "./evaluation-options.ts";
export { addGraderOptions, addJudgeOptions, type GraderFlags } from "./grader-options.ts";
export {
  addDefault,
  addSection,
  columns,
  defaultOf,
  definitions,
  explain,
  explanationOf,
  helpStyle,
  helpWidth,
  paragraph,
  pathOf,
  type Section,
  sectionsOf,
} from "./help.ts";
export { namedAgent, openAndReport, openNamedRun, ourData, reportDamage } from "./open-named-run.ts";
export {
  ageOf,
  amountOf,
  collected,
  countOf,
  durationOf,
  exitCodeOf,
  levelOf,
  limitOf,
  listed,
  moneyOf,
  portOf,
  rangeOf,
  signalOf,
  speedOf,
  timeOf,
} from "./option-values.ts";
export { packageRoot } from "./package-root.ts";
export { programOf } from "./program-of.ts";
export { readPrompt } from "./read-prompt.ts";
export { RUN, SIGN } from "./run-argument.ts";
export { runOptionsOf } from "./run-options-of.ts";
export { loadSettings } from "./settings.ts";
export { addShownOptions, type ShownFlags } from "./shown-options.ts";
