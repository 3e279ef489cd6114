import { stoppingRule } from "../../../pure/statistics/index.ts";
import { type Journal, type ResultFile, trialNumbers } from "../results/index.ts";
import type { CaptureResult, CaseTask, Stopping, TrialEntry, TrialResult } from "../trial/index.ts";
import { keyOf, type TrialPlan } from "./trial-plan.ts";

export interface TrialsOptions {
  /** How many trials each case gets; with `untilPrecise`, the most. */
  readonly k: number;
  readonly isGraded: boolean;
  /** Stop a case early when its interval extends at most this far to either side. */
  readonly untilPrecise?: number;
}

/** The minimum before stopping early: the interval of two or three equal results is narrow by accident. */
const FEWEST = 5;

/**
 * Several trials per case and agent. The journal keeps each trial as soon as it finishes, and the line of a case is written after its
 * last trial. A killed evaluation repeats at most the trials that were running.
 */
export function trialsPlan(out: ResultFile, journal: Journal, { k, isGraded, untilPrecise }: TrialsOptions): TrialPlan {
  const written = new Set(out.finished.map(keyOf));
  const cases = new Map<string, Course>();
  const rule = untilPrecise === undefined ? undefined : stoppingRule({ width: untilPrecise, fewest: FEWEST, most: k });
  const stopping = rule && untilPrecise !== undefined ? { untilPrecise, fewest: FEWEST, maxK: k, z: rule.z } : undefined;

  const keyOfTask = ({ case: { id }, entrant: { label } }: CaseTask) => keyOf({ id, agent: label });

  function courseOf(task: CaseTask): Course {
    const key = keyOfTask(task);
    let course = cases.get(key);
    if (course === undefined) {
      course = { entries: journal.entriesOf(task).slice(0, k), begun: new Set() };
      for (const { trialNum } of course.entries) course.begun.add(trialNum);
      cases.set(key, course);
    }
    return course;
  }

  function settle(task: CaseTask, course: Course): void {
    const key = keyOfTask(task);
    if (written.has(key) || !isComplete(course)) return;
    written.add(key);
    out.append(resultOf(task, course, isGraded, stopping));
    cases.delete(key);
  }

  function isComplete({ entries, begun }: Course): boolean {
    return entries.length === begun.size && (entries.length >= k || isPrecise(entries));
  }

  function isPrecise(entries: readonly TrialEntry[]): boolean {
    const graded = entries.filter(({ pass }) => pass !== undefined);
    return rule?.isPrecise(graded.filter(({ pass }) => pass).length, graded.length) ?? false;
  }

  return {
    perCase: untilPrecise === undefined ? k : undefined,
    next(task) {
      if (written.has(keyOfTask(task))) return undefined;
      const course = courseOf(task);
      if (!isPrecise(course.entries)) {
        for (let trialNum = 1; trialNum <= k; trialNum++) {
          if (course.begun.has(trialNum)) continue;
          course.begun.add(trialNum);
          return trialNum;
        }
      }
      settle(task, course); // the journal had them all
      return undefined;
    },
    accept(spec, result) {
      const course = courseOf(spec);
      const entry = entryOf(result, spec.trialNum);
      const agent = result.metadata?.["agent"];
      if (typeof agent === "string" && agent !== spec.entrant.label) course.agent = agent;
      if (course.entries.some(({ trialNum }) => trialNum === spec.trialNum)) return;
      journal.append(spec, entry);
      course.entries.push(entry);
      settle(spec, course);
    },
  };
}

interface Course {
  /** The name the agent gave itself, once it is known. */
  agent?: string;
  readonly entries: TrialEntry[];
  readonly begun: Set<number>;
}

/** The trials of a case are in one line, so their step ids say which trial they belong to. */
function entryOf(result: CaptureResult, trialNum: number): TrialEntry {
  const { output, trajectory, timing, toolErrors, score, errors, runs, status, usage, cost, partialUsage, partialCost, gradeError, lost } =
    result;
  return {
    trialNum,
    output,
    trajectory: trajectory.map((step, index) => ({ ...step, stepId: `${result.id}-trial-${trialNum}-step-${index + 1}` })),
    duration: timing.end - timing.start,
    ...(score === undefined
      ? {}
      : { pass: score.pass, score: score.score, ...(score.reasoning === undefined ? {} : { reasoning: score.reasoning }) }),
    toolErrors,
    ...(errors === undefined ? {} : { errors }),
    runs,
    status,
    usage,
    cost,
    ...(partialUsage && { partialUsage }),
    ...(partialCost && { partialCost }),
    ...(gradeError === undefined ? {} : { gradeError }),
    ...(lost === undefined ? {} : { lost }),
  };
}

function resultOf(
  { case: row, caseHash, entrant }: CaseTask,
  { entries, agent = entrant.label }: Course,
  isGraded: boolean,
  stopping: Stopping | undefined,
): TrialResult {
  const trials = [...entries].sort((a, b) => a.trialNum - b.trialNum);
  const k = trials.length;
  const { statistics, ...numbers } = trialNumbers(trials, k, stopping);
  return {
    id: row.id,
    input: row.input,
    ...(row.expected === undefined ? {} : { expected: row.expected }),
    k,
    ...(isGraded ? numbers : {}),
    trials,
    metadata: { ...row.metadata, agent },
    ...(isGraded ? { statistics } : {}),
    agent: entrant.label,
    ...(entrant.settings.model === undefined ? {} : { model: entrant.settings.model }),
    configuration: entrant.configuration,
    caseHash,
  };
}
