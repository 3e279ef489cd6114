import {
  anyObject,
  count,
  described,
  either,
  flag,
  list,
  matching,
  nullable,
  number,
  object,
  optional,
  ordinal,
  type Static,
  text,
} from "../../../pure/base/index.ts";
import { partialCost, partialUsage, statusOrNull, tokens } from "../../../pure/events/index.ts";
import { wallFacts } from "../../../pure/isolation/index.ts";
import { classCounts, outOfTime, startProblem, trialClass } from "../../../pure/verdicts/index.ts";
import { captureRecord, promptInput, trajectoryStep } from "../../../pure/views/index.ts";
import { grade, gradedIn, rate } from "./grade.ts";
import { judging } from "./judging.ts";

export const sha256 = matching(/^[0-9a-f]{64}$/);
export const interval = nullable(object({ low: number, high: number }));

const lostAttempt = object({ runs: list(text), status: statusOrNull, reason: nullable(text) });
export type LostAttempt = Static<typeof lostAttempt>;

/** What the agent did, as far as it reports it. */
const behavior = object({
  calls: described(count, "Tool calls, also of subagents"),
  failed: described(count, "Calls that failed"),
  retries: described(count, "Calls with the same input as an earlier call that failed"),
  files: described(count, "Different files that it says it wrote; of several turns, the most in one"),
  skills: described(list(text), "The skills it used"),
});
export type Behavior = Static<typeof behavior>;

const durations = object({
  firstToken: described(nullable(number), "Until the first output of the model"),
  working: described(nullable(number), "The rest of the time: the model writes, and tools run"),
  waiting: described(nullable(number), "From the start, and from the end of tools, until the model's next output"),
  grading: optional(number),
});
export type Durations = Static<typeof durations>;

const price = object({
  costUsd: number,
  model: described(text, "The model in the table"),
  table: described(text, "The table of prices and its version, or override"),
});

/** The machine that ran a trial. */
const machine = object({ platform: text, arch: text, cores: count, memoryBytes: count, node: text });
export type Machine = Static<typeof machine>;

/** Facts about a run in addition to 004's fields: in a line of `capture`, and in every entry of `trials`. */
const runFacts = object({
  /** `harness replay`, `derive` and the page can open them. */
  runs: described(list(text), "The recorded runs, one per turn"),
  status: statusOrNull,
  reason: optional(nullable(text), "Why the status is what it is"),
  class: optional(trialClass, "How the trial ended, decided by the status and its evidence"),
  startProblem: optional(startProblem, "What kept the agent from reaching a model"),
  usage: described(tokens, "Of the whole run. What the agent reports of a part is in partialUsage"),
  cost: described(nullable(number), "Of the whole run: US dollars, as the agent reports them"),
  computedCost: optional(price, "If the agent reports no cost: computed from its tokens with a table of prices, not measured"),
  partialUsage: optional(partialUsage, "If the agent reports only a part of what the run used"),
  partialCost: optional(partialCost, "If the agent reports only a part of what the run cost"),
  answeredBy: optional(nullable(text), "The model that the agent says has answered"),
  behavior: optional(behavior, "What the agent did, as far as it reports it"),
  durations: optional(durations, "Milliseconds; null if the agent does not show it"),
  isolation: optional(wallFacts, "The walls around the agent; of several turns, the weakest"),
  gradeError: optional(text, "Why there is no grade; never the agent's failure"),
  uncountedGrade: optional(grade, "The grade of work that ran out of time or crashed: for information, never a pass"),
  gradedIn: optional(gradedIn, "If the grader started programs: whether they ran in their own walls"),
  judging: optional(judging, "If a judge was asked: its runs, and what they used and cost"),
  unverified: optional(text, "Why the grade rests on what the line says: its recorded runs could not be read"),
  lost: optional(list(lostAttempt), "Attempts that were lost to the provider or to us, and repeated"),
});
export type RunFacts = Static<typeof runFacts>;

/** The facts about the run in a result, without its other fields. */
export function runFactsIn(result: RunFacts): RunFacts {
  const facts: Record<string, unknown> = {};
  for (const name of FACTS) if (result[name] !== undefined) facts[name] = result[name];
  return facts as unknown as RunFacts;
}

const FACTS = Object.keys(runFacts.fields) as readonly (keyof RunFacts)[];

/** Hashes of an evaluation file and of everything it refers to. */
export const inputs = object({ file: sha256, all: described(sha256, "Over the contents of everything that the file refers to") });

/** The agent and its settings: results of two configurations never mix unnoticed. */
const configured = {
  evaluation: optional(text, "The evaluation whose runs these are, by the id that is sealed in each of them"),
  agent: text,
  model: optional(text),
  version: optional(nullable(text), "What the agent's program prints as its version"),
  effort: optional(text),
  seed: optional(either(number, text), "The seed that chose the cases"),
  grader: optional(object({ graders: list(text), version: described(sha256, "Over the graders and their files") })),
  machine: optional(machine),
  /** Agent, version, options, graders. */
  configuration: described(sha256, "Over everything that decides how the case runs"),
  /** The row of the data set. */
  caseHash: described(sha256, "Over the case"),
  inputs: optional(inputs, "The evaluation file, and everything it refers to"),
  shard: optional(text, "The part of the evaluation that this is from: 3/20"),
};

/** The result of one trial, and a line of `capture`: specification 004's CaptureResult, followed by our fields. */
export const captureResult = object({ ...captureRecord.fields, score: optional(grade), ...configured, ...runFacts.fields });
export type CaptureResult = Static<typeof captureResult>;

const trialEntry = object({
  trialNum: ordinal,
  output: text,
  trajectory: list(trajectoryStep),
  duration: described(number, "Milliseconds"),
  pass: optional(flag),
  score: optional(rate),
  reasoning: optional(text),
  toolErrors: flag,
  errors: optional(list(text)),
  ...runFacts.fields,
});
export type TrialEntry = Static<typeof trialEntry>;

/** The rule that stopped the trials of a case, if their number was not fixed. */
const stopping = object({
  /** The requested width to either side. */
  untilPrecise: number,
  fewest: count,
  maxK: count,
  /** The interval is this many standard errors wide to either side; for a fixed number it would be 1.96. */
  z: number,
});
export type Stopping = Static<typeof stopping>;

/** Sound statistics, next to the documented numbers and under different names. */
const trialStatistics = object({
  nGraded: described(count, "Trials that count: passed, failed and out of time"),
  nPass: count,
  nError: described(count, "Trials without a verdict because a grader broke"),
  nInfrastructure: described(count, "Trials that never started, or were lost to the provider or to us"),
  classes: optional(classCounts, "How many trials ended in each class"),
  outOfTime: optional(outOfTime, "Present if trials out of time are not part of the rate"),
  /** Wilson's interval; after early stopping, a wider one that still holds. */
  passRateInterval: described(interval, "95 %"),
  stopping: optional(stopping, "The rule that stopped the trials; the interval accounts for it"),
  unbiasedPassAtK: described(list(rate), "P(at least one of k passes), k = 1 … nGraded"),
  unbiasedPassExpK: described(list(rate), "P(all of k pass), k = 1 … nGraded"),
});
export type TrialStatistics = Static<typeof trialStatistics>;

/** The results of all trials of a case, and a line of `trials`: specification 004's TrialResult, followed by our fields. */
export const trialResult = object({
  id: text,
  input: promptInput,
  expected: optional(text),
  k: described(count, "Trials"),
  passRate: optional(nullable(rate), "Passed / (passed + failed + out of time); null if none counts"),
  passAtK: optional(nullable(rate), "1 − (1 − passRate)^k"),
  passExpK: optional(nullable(rate), "passRate^k"),
  trials: list(trialEntry),
  metadata: anyObject,
  statistics: optional(trialStatistics),
  ...configured,
});
export type TrialResult = Static<typeof trialResult>;
