import { stoppingRule } from "../../../pure/statistics/index.ts";
import type { Case } from "../cases/index.ts";
import type { TrialPlan } from "../evaluation.ts";
import { type Journal, type ResultFile, trialNumbers } from "../results/index.ts";
import type { CaptureLine, Entrant, Stopping, TrialEntry, TrialLine } from "../trial/index.ts";
import { keyOf } from "./capture-plan.ts";

export interface TrialsOptions {
  /** How many trials each case gets; with `untilPrecise`, the most. */
  readonly k: number;
  readonly isGraded: boolean;
  /** Stop a case early when its interval is at most that wide to either side. */
  readonly untilPrecise?: number;
}

/** How few trials say nothing, however they ended: an interval of two or three equal ones is narrow by accident. */
const FEWEST = 5;

/**
 * Several trials per case and agent. Each trial is kept in the journal when it is there, and the line of the case is written when its
 * last one is: a killed evaluation repeats at most the trials that were running.
 */
export function trialsPlan(out: ResultFile, journal: Journal, { k, isGraded, untilPrecise }: TrialsOptions): TrialPlan {
  const written = new Set(out.finished.map(({ id, agent }) => keyOf(id, agent)));
  const cases = new Map<string, Course>();
  const rule = untilPrecise === undefined ? undefined : stoppingRule({ width: untilPrecise, fewest: FEWEST, most: k });
  const stopping = rule && untilPrecise !== undefined ? { untilPrecise, fewest: FEWEST, maxK: k, z: rule.z } : undefined;

  function courseOf(row: Case, hash: string, entrant: Entrant): Course {
    const key = keyOf(row.id, entrant.label);
    let course = cases.get(key);
    if (course === undefined) {
      course = { entries: journal.entriesOf(row.id, entrant, hash).slice(0, k), begun: new Set() };
      for (const { trialNum } of course.entries) course.begun.add(trialNum);
      cases.set(key, course);
    }
    return course;
  }

  /** Writes the line if the case is complete. */
  function settle(row: Case, hash: string, entrant: Entrant, course: Course): void {
    const key = keyOf(row.id, entrant.label);
    if (written.has(key) || !isComplete(course)) return;
    written.add(key);
    out.append(lineOf(row, hash, entrant, course.entries, isGraded, stopping));
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
    next(row, hash, entrant) {
      if (written.has(keyOf(row.id, entrant.label))) return undefined;
      const course = courseOf(row, hash, entrant);
      if (!isPrecise(course.entries)) {
        for (let trialNum = 1; trialNum <= k; trialNum++) {
          if (course.begun.has(trialNum)) continue;
          course.begun.add(trialNum);
          return trialNum;
        }
      }
      settle(row, hash, entrant, course); // the journal had them all
      return undefined;
    },
    accept(row, hash, entrant, trialNum, { line }) {
      const course = courseOf(row, hash, entrant);
      const entry = entryOf(line, trialNum);
      if (course.entries.some((each) => each.trialNum === trialNum)) return;
      journal.append(row.id, entrant, hash, entry);
      course.entries.push(entry);
      settle(row, hash, entrant, course);
    },
  };
}

interface Course {
  readonly entries: TrialEntry[];
  readonly begun: Set<number>;
}

function entryOf(line: CaptureLine, trialNum: number): TrialEntry {
  const { output, trajectory, timing, toolErrors, score, errors, runs, status, usage, cost, gradeError, lost } = line;
  return {
    trialNum,
    output,
    trajectory,
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
    ...(gradeError === undefined ? {} : { gradeError }),
    ...(lost === undefined ? {} : { lost }),
  };
}

function lineOf(
  row: Case,
  hash: string,
  entrant: Entrant,
  entries: readonly TrialEntry[],
  isGraded: boolean,
  stopping: Stopping | undefined,
): TrialLine {
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
    metadata: { ...row.metadata, agent: entrant.label },
    ...(isGraded ? { statistics } : {}),
    agent: entrant.label,
    ...(entrant.options.model === undefined ? {} : { model: entrant.options.model }),
    configuration: entrant.configuration,
    caseHash: hash,
  };
}
