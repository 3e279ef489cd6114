import { z } from "zod";
import type { CaptureResult, Comparison, PreferenceResult, TrialResult } from "../evaluate/index.ts";
import { captureFields, inputOf } from "./capture.ts";
import { count, ordinal, runStatus, tokens } from "./parts.ts";
import type { Same } from "./same.ts";
import { type ObjectOf, type RecordOf, schema } from "./schema.ts";
import { stepOf } from "./trajectory.ts";

/** What evaluations read and write: specification 004's formats, and what stands beside them. */
export const EVALUATION_VERSION = "1.0";

const rate = () => z.number().min(0).max(1);
const sha256 = () => z.string().regex(/^[0-9a-f]{64}$/);
const intervalOf = (object: ObjectOf) => object({ low: z.number(), high: z.number() }).nullable();

function caseRow(object: ObjectOf) {
  return object({
    id: z.string().min(1).max(256).describe("Once per file; never a path"),
    input: z.union([z.string(), z.array(z.string()).min(1)]).describe("The prompt; a list is a conversation"),
    expected: z.string().exactOptional().describe("What graders compare with"),
    hint: z.string().exactOptional().describe("The later name of expected"),
    reference: z.string().exactOptional().describe("A solution that must pass: a text, files:<directory> or command:<shell command>"),
    metadata: z.record(z.string(), z.unknown()).exactOptional(),
    timeout: z.number().positive().exactOptional().describe("Milliseconds"),
    workspace: z.string().exactOptional().describe("A directory, relative to the file, or git url@ref"),
    setup: z.string().exactOptional().describe("A shell command that is run in the workspace before the agent starts"),
  });
}

export const caseSchema = schema({
  name: "case",
  version: EVALUATION_VERSION,
  title: "Case",
  description: "A line of a data set, as capture, trials, validate-refs and balance read it.",
  record: caseRow,
});

/** What is known of the runs behind a result. */
const facts = (object: ObjectOf) => ({
  runs: z.array(z.string()).describe("The recorded runs, one per turn"),
  status: runStatus(),
  usage: tokens(object),
  cost: z.number().nullable().describe("US dollars, as the agent reports them"),
  gradeError: z.string().exactOptional().describe("Why there is no grade; never the agent's failure"),
  lost: z
    .array(object({ runs: z.array(z.string()), status: runStatus(), reason: z.string().nullable() }))
    .exactOptional()
    .describe("Attempts that were lost to the provider or to us, and repeated"),
});

const configured = () => ({
  agent: z.string(),
  model: z.string().exactOptional(),
  configuration: sha256().describe("Over everything that decides how it is asked"),
  caseHash: sha256().describe("Over what is asked"),
});

const grade = (object: ObjectOf) => object({ pass: z.boolean(), score: rate(), reasoning: z.string().exactOptional() });

function captureLine(object: ObjectOf) {
  return object({ ...captureFields(object), score: grade(object).exactOptional(), ...configured(), ...facts(object) });
}

true satisfies Same<RecordOf<typeof captureLine>, CaptureResult>;

export const captureResult = schema({
  name: "capture-result",
  version: EVALUATION_VERSION,
  title: "Capture result",
  description: "A line that harness capture writes: specification 004's CaptureResult, and ours behind it.",
  record: captureLine,
});

function trialEntry(object: ObjectOf) {
  return object({
    trialNum: ordinal(),
    output: z.string(),
    trajectory: z.array(stepOf(object, {})),
    duration: z.number().describe("Milliseconds"),
    pass: z.boolean().exactOptional(),
    score: rate().exactOptional(),
    reasoning: z.string().exactOptional(),
    toolErrors: z.boolean(),
    errors: z.array(z.string()).exactOptional(),
    ...facts(object),
  });
}

function trialLine(object: ObjectOf) {
  return object({
    id: z.string(),
    input: inputOf(),
    expected: z.string().exactOptional(),
    k: count().describe("Trials"),
    passRate: rate().nullable().exactOptional().describe("Passes by graded trials; null where none was graded"),
    passAtK: rate().nullable().exactOptional().describe("1 − (1 − passRate)^k"),
    passExpK: rate().nullable().exactOptional().describe("passRate^k"),
    trials: z.array(trialEntry(object)),
    metadata: z.record(z.string(), z.unknown()),
    statistics: object({
      nGraded: count(),
      nPass: count(),
      nError: count().describe("Trials without a verdict because a grader broke"),
      nInfrastructure: count().describe("Trials lost to the provider or to our limits"),
      passRateInterval: intervalOf(object).describe("95 %"),
      stopping: object({ untilPrecise: z.number(), fewest: count(), maxK: count(), z: z.number() })
        .exactOptional()
        .describe("By which rule the trials were stopped; the interval allows for it"),
      unbiasedPassAtK: z.array(rate()).describe("P(at least one of k passes), k = 1 … nGraded"),
      unbiasedPassExpK: z.array(rate()).describe("P(all of k pass), k = 1 … nGraded"),
    }).exactOptional(),
    ...configured(),
  });
}

true satisfies Same<RecordOf<typeof trialLine>, TrialResult>;

export const trialResult = schema({
  name: "trial-result",
  version: EVALUATION_VERSION,
  title: "Trial result",
  description: "A line that harness trials writes: specification 004's TrialResult, and ours behind it.",
  record: trialLine,
});

function comparisonRecord(object: ObjectOf) {
  const shown = z.enum(["better", "worse", "no difference shown"]);
  const quantile = () => z.number().nullable();
  const side = object({
    label: z.string(),
    cases: count(),
    trials: count(),
    graded: count(),
    nError: count(),
    nInfrastructure: count(),
    passRate: rate().nullable().describe("The mean over cases"),
    passRateInterval: intervalOf(object),
    latencyMs: object({ p50: quantile(), p90: quantile(), p99: quantile() }),
    tokens: tokens(object),
    costUsd: z.number().nullable(),
    toolErrors: count().describe("Trials in which a tool call failed"),
  });
  const pair = object({
    a: z.string(),
    b: z.string(),
    cases: count().describe("With at least one real pair: the same trial of the same case, graded on both sides"),
    pairs: count(),
    wins: count().describe("Cases in which b passed more often than a"),
    losses: count(),
    ties: count(),
    difference: z.number().nullable().describe("Of the pass rates, b − a"),
    interval: intervalOf(object),
    p: rate().nullable().describe("Exact; McNemar's test where every case has one pair"),
    pAdjusted: rate().nullable().describe("By Holm"),
    verdict: shown,
  });
  return object({
    sides: z.array(side),
    pairs: z.array(pair),
    confidence: rate(),
    seed: z.union([z.number(), z.string()]),
    cases: z.array(object({ id: z.string(), cells: z.array(object({ passes: count(), graded: count(), trials: count() })) })),
  });
}

true satisfies Same<RecordOf<typeof comparisonRecord>, Comparison>;

export const comparison = schema({
  name: "comparison",
  version: EVALUATION_VERSION,
  title: "Comparison",
  description: "What harness compare --json prints: how the sides did, and how every two of them differ.",
  record: comparisonRecord,
});

function preferenceLine(object: ObjectOf) {
  return object({
    id: z.string(),
    preferred: z.enum(["a", "b", "neither"]),
    isConsistent: z.boolean().describe("False where the judge changed its mind with the order of the answers"),
    reasoning: z.array(z.string()).describe("With a first, and with b first"),
    error: z.string().exactOptional().describe("Why there is no opinion"),
    trialNum: ordinal(),
    a: z.string(),
    b: z.string(),
    judge: z.string(),
    runs: z.array(z.string().nullable()).describe("The runs that gave the answers, of a and of b"),
    configuration: sha256(),
    caseHash: sha256(),
  });
}

true satisfies Same<RecordOf<typeof preferenceLine>, PreferenceResult>;

export const preference = schema({
  name: "preference",
  version: EVALUATION_VERSION,
  title: "Preference",
  description: "A line that harness prefer writes: which of two answers a judge likes better, asked in both orders.",
  record: preferenceLine,
});
