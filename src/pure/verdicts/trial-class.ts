import { oneOf, type Static } from "../base/index.ts";
import { type RunStatus, runStatuses } from "../events/index.ts";
import { type StartProblem, startProblemOf } from "./start-problem.ts";
import type { TrialEvidence } from "./trial-evidence.ts";

/** How a trial ended. Every trial has exactly one class. */
export const trialClasses = ["passed", "failed", "out_of_time", "not_started", "lost_to_provider", "lost_to_us", "ungraded"] as const;
export const trialClass = oneOf(...trialClasses);
export type TrialClass = Static<typeof trialClass>;

/** Whether trials out of time are part of the rate, as failures, or left out of it. */
export const outOfTime = oneOf("failed", "ignored");
export type OutOfTime = Static<typeof outOfTime>;

/** Whether a grade that no recording supports is part of the rate. */
export const unverifiedTrials = oneOf("ignored", "counted");
export type UnverifiedTrials = Static<typeof unverifiedTrials>;

type Status = RunStatus | "null" | "none";

/** A row of the table: the first one that has the status and holds decides. */
export interface ClassRow {
  readonly statuses: readonly Status[];
  /** The evidence in words, as the documentation shows it. */
  readonly when: string;
  readonly holds: (evidence: TrialEvidence) => boolean;
  readonly class: TrialClass;
  /** What a grade is worth: it decides the class, it is kept for information, or there is nothing to grade. */
  readonly grade: "decides" | "informs" | "none";
}

const always = () => true;
const ENDED: readonly Status[] = ["completed", "failed", "blocked", "none"];

/** The published table from a status and its evidence to a class (docs/guides/evaluate.md). */
export const classTable: readonly ClassRow[] = [
  {
    statuses: ["failed"],
    when: "its recording or its workspace was destroyed",
    holds: ({ reason }) => reason === "evidence-lost",
    class: "failed",
    grade: "informs",
  },
  {
    statuses: ["failed", "infrastructure", "null"],
    when: "no model was reached, for a reason that you can fix",
    holds: (evidence) => startProblemOf(evidence) !== undefined,
    class: "not_started",
    grade: "none",
  },
  {
    statuses: ["failed", "crashed"],
    when: "our log could not be written, or the recorder died",
    holds: ({ reason }) => reason === "log-write" || reason === "recorder-died",
    class: "lost_to_us",
    grade: "none",
  },
  { statuses: ["timed_out", "hung"], when: "any", holds: always, class: "out_of_time", grade: "informs" },
  { statuses: ["crashed"], when: "any other", holds: always, class: "failed", grade: "informs" },
  { statuses: ["infrastructure"], when: "any other", holds: always, class: "lost_to_provider", grade: "none" },
  {
    statuses: ["canceled"],
    when: "its process ended like that, and no one asked it to",
    holds: ({ reason }) => reason?.startsWith("exit-code-") === true || reason?.startsWith("SIG") === true,
    class: "failed",
    grade: "informs",
  },
  { statuses: ["canceled", "null"], when: "any other", holds: always, class: "lost_to_us", grade: "none" },
  { statuses: ENDED, when: "the grader passes it", holds: is("pass"), class: "passed", grade: "decides" },
  { statuses: ENDED, when: "the grader fails it", holds: is("fail"), class: "failed", grade: "decides" },
  { statuses: ENDED, when: "its recordings were not there to be graded", holds: is("unverified"), class: "ungraded", grade: "informs" },
  { statuses: ENDED, when: "the grader broke", holds: is("broken"), class: "ungraded", grade: "decides" },
  { statuses: ["failed", "blocked"], when: "there is no grader", holds: always, class: "failed", grade: "decides" },
  { statuses: ["completed", "none"], when: "there is no grader", holds: always, class: "ungraded", grade: "decides" },
];

const BY_STATUS: ReadonlyMap<string, readonly ClassRow[]> = new Map(
  [...runStatuses, "null", "none"].map((status) => [status, classTable.filter(({ statuses }) => statuses.some((each) => each === status))]),
);

function is(verdict: TrialEvidence["verdict"]): ClassRow["holds"] {
  return (evidence) => evidence.verdict === verdict;
}

/** The class of a trial, what its grade is worth, and what kept it from starting. The only place that decides it. */
export function judgeTrial(evidence: TrialEvidence): {
  readonly class: TrialClass;
  readonly grade: ClassRow["grade"];
  readonly startProblem?: StartProblem;
} {
  const status = evidence.status === null ? "null" : (evidence.status ?? "none");
  const row = BY_STATUS.get(status)?.find(({ holds }) => holds(evidence));
  if (row === undefined) return { class: "lost_to_us", grade: "none" }; // a status of a later version
  const problem = row.class === "not_started" ? startProblemOf(evidence) : undefined;
  return { class: row.class, grade: row.grade, ...(problem && { startProblem: problem }) };
}

/** A rate is passed / (passed + failed + out of time). */
export function isCounted(kind: TrialClass, late: OutOfTime = "failed"): boolean {
  return kind === "passed" || kind === "failed" || (kind === "out_of_time" && late === "failed");
}
