import { arrayOf, isObject, type JsonObject, numberOf, objectOf, stringOf } from "../../../pure/base/index.ts";
import { type RunStatus, runStatuses } from "../../../pure/events/index.ts";
import { judgeTrial, type StartProblem, type TrialClass, type TrialEvidence, type UnverifiedTrials } from "../../../pure/verdicts/index.ts";
import { type Graded, isGraded } from "./grade.ts";
import type { CaptureResult } from "./result.ts";

/**
 * The class of a trial from its line, also of one that an earlier version or a different tool wrote. A grade that `grade` could not verify
 * decides nothing, unless it is counted.
 */
export function classOf(trial: object, unverified: UnverifiedTrials = "ignored"): ReturnType<typeof judgeTrial> {
  return judgeTrial(evidenceIn(trial as JsonObject, unverified));
}

/** Whether the grade of a trial is one of what its line says. */
export function isUnverified(trial: JsonObject): boolean {
  return typeof trial["unverified"] === "string" && typeof gradeIn(trial)["pass"] === "boolean";
}

/** Whether `--append` runs the trial again: it says nothing about the agent, and nothing need be believed about it. */
export function isRepeated(kind: TrialClass): boolean {
  return kind === "not_started" || kind === "lost_to_provider" || kind === "lost_to_us";
}

/** The same trial with its class. */
export function classified<Trial extends object>(
  trial: Trial,
): Trial & { readonly class: TrialClass; readonly startProblem?: StartProblem } {
  const { class: kind, startProblem } = classOf(trial);
  return { ...trial, class: kind, ...(startProblem && { startProblem }) };
}

/** The same capture with a grade. Work that ran out of time or crashed keeps it apart, for information. */
export function withGrade(trial: CaptureResult, graded: Graded): CaptureResult {
  const informs = classOf(trial).grade === "informs";
  const judged = { ...trial, ...(graded.judging && { judging: graded.judging }), ...(graded.gradedIn && { gradedIn: graded.gradedIn }) };
  if (!isGraded(graded)) return classified({ ...judged, gradeError: graded.error });
  return classified({ ...judged, ...(informs ? { uncountedGrade: graded.grade } : { score: graded.grade }) });
}

/** A capture nests its grade; a trial does not. */
export function gradeIn(trial: JsonObject): JsonObject {
  return isObject(trial["score"]) ? trial["score"] : trial;
}

function evidenceIn(trial: JsonObject, unverified: UnverifiedTrials): TrialEvidence {
  const { pass } = gradeIn(trial);
  return {
    status: Object.hasOwn(trial, "status") ? statusOf(trial["status"]) : undefined,
    reason: stringOf(trial["reason"]),
    verdict: unverified === "ignored" && isUnverified(trial) ? "unverified" : verdictIn(trial, pass),
    isStarted: (arrayOf(trial["runs"]) ?? []).length > 0,
    isModelSeen: isModelSeen(trial),
    errors: (arrayOf(trial["errors"]) ?? []).flatMap((error) => stringOf(error) ?? []),
  };
}

function verdictIn(trial: JsonObject, pass: unknown): TrialEvidence["verdict"] {
  if (typeof pass === "boolean") return pass ? "pass" : "fail";
  return trial["gradeError"] === undefined ? "none" : "broken";
}

function statusOf(status: unknown): RunStatus | null {
  return runStatuses.find((known) => known === status) ?? null;
}

/** It said something, called a tool, or used tokens for an answer. */
function isModelSeen(trial: JsonObject): boolean {
  const used = [objectOf(trial["usage"]), objectOf(objectOf(trial["partialUsage"])?.["tokens"])];
  const steps = arrayOf(trial["trajectory"]) ?? [];
  return steps.length > 0 || (stringOf(trial["output"]) ?? "") !== "" || used.some((tokens) => (numberOf(tokens?.["output"]) ?? 0) > 0);
}
