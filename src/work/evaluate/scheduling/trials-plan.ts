import { type JsonObject, objectOf } from "../../../pure/base/index.ts";
import { stoppingRule } from "../../../pure/statistics/index.ts";
import { countedIn, type OutOfTime, type Tally, tallyOf } from "../../../pure/verdicts/index.ts";
import { type Journal, type ResultFile, trialNumbers, trialsIn } from "../results/index.ts";
import {
  type CaptureResult,
  type CaseTask,
  classified,
  classOf,
  isRepeated,
  runFactsIn,
  type Stopping,
  type TrialEntry,
  type TrialResult,
} from "../trial/index.ts";
import { keptIn, keyOf, type TrialPlan, workOf } from "./trial-plan.ts";

export interface TrialsOptions {
  /** How many trials each case gets; with `untilPrecise`, the most. */
  readonly k: number;
  readonly isGraded: boolean;
  /** Stop a case early when its interval extends at most this far to either side. */
  readonly untilPrecise?: number;
  /** Whether trials out of time count as failures. Default: they do. */
  readonly outOfTime?: OutOfTime;
}

/** The minimum before stopping early: the interval of two or three equal results is narrow by accident. */
const FEWEST = 5;

/**
 * Several trials per case and agent. The journal keeps each trial as soon as it finishes, and the line of a case is written after its
 * last trial. A killed evaluation repeats at most the trials that were running.
 */
export function trialsPlan(out: ResultFile, journal: Journal, options: TrialsOptions): TrialPlan {
  const { k, untilPrecise } = options;
  const written = new Set(out.finished.map(keyOf));
  const cases = new Map<string, Course>();
  const rule = ruleOf(options);
  const stopping = rule && untilPrecise !== undefined ? { untilPrecise, fewest: FEWEST, maxK: k, z: rule.z } : undefined;

  const keyOfTask = ({ case: { id }, entrant: { label } }: CaseTask) => keyOf({ id, agent: label });

  function courseOf(task: CaseTask): Course {
    const key = keyOfTask(task);
    let course = cases.get(key);
    if (course === undefined) {
      const kept = new Map(journal.entriesOf(workOf(task)).map((entry) => [entry.trialNum, classified(entry)]));
      const entries = [...kept.values()].filter((entry) => !isRepeated(entry.class)).slice(0, k);
      course = { entries, counts: countsOf(entries), begun: new Set() };
      for (const { trialNum } of course.entries) course.begun.add(trialNum);
      cases.set(key, course);
    }
    return course;
  }

  function settle(task: CaseTask, course: Course): void {
    const key = keyOfTask(task);
    if (written.has(key) || !isComplete(course)) return;
    written.add(key);
    out.append(resultOf(task, course, options, stopping));
    cases.delete(key);
  }

  function isComplete({ entries, begun, counts }: Course): boolean {
    return entries.length === begun.size && (entries.length >= k || isNarrow(counts, options, rule));
  }

  return {
    perCase: untilPrecise === undefined ? k : undefined,
    next(task) {
      if (written.has(keyOfTask(task))) return undefined;
      const course = courseOf(task);
      if (!isNarrow(course.counts, options, rule)) {
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
      course.about ??= aboutOf(result);
      journal.append(workOf(spec), entry);
      course.entries.push(entry);
      course.counts[entry.class]++;
      settle(spec, course);
    },
    unfinished: () =>
      [...cases].flatMap(([key, { entries, agent }]) => {
        const [label = "", id = ""] = key.split(/\n(.*)/s);
        return entries.length === 0 ? [] : [{ id, agent: label, metadata: { agent: agent ?? label }, trials: entries }];
      }),
    prove: (check) => journal.prove(check),
    reopen(work, line) {
      journal.keep(work, keptIn(line) as unknown as readonly TrialEntry[]);
      written.delete(keyOf(work));
    },
  };
}

/** A line with fewer trials than requested gets more, and trials that never reached a model or were lost run again. Any other line is complete. */
export function openTrials(options: TrialsOptions): (line: JsonObject) => number | undefined {
  const rule = ruleOf(options);
  return (line) => {
    if (!Array.isArray(line["trials"])) return undefined; // a line of `capture`
    const kept = keptIn(line) as unknown as readonly TrialEntry[];
    const isByRule = objectOf(line["statistics"])?.["stopping"] !== undefined;
    const isShort = kept.length < options.k && (rule === undefined ? !isByRule : !isNarrow(countsOf(kept), options, rule));
    return isShort || kept.length < trialsIn(line).length ? kept.length : undefined;
  };
}

type Rule = ReturnType<typeof stoppingRule>;

function ruleOf({ k, untilPrecise }: TrialsOptions): Rule | undefined {
  return untilPrecise === undefined ? undefined : stoppingRule({ width: untilPrecise, fewest: FEWEST, most: k });
}

function isNarrow(counts: Tally, { outOfTime }: TrialsOptions, rule: Rule | undefined): boolean {
  return rule?.isPrecise(counts.passed, countedIn(counts, outOfTime)) ?? false;
}

function countsOf(entries: readonly TrialEntry[]): Tally {
  return tallyOf(entries.map((entry) => classOf(entry).class));
}

/** What the trials of a side have in common. */
function aboutOf({ version, effort, seed, grader, machine }: CaptureResult) {
  return {
    ...(version !== undefined && { version }),
    ...(effort !== undefined && { effort }),
    ...(seed !== undefined && { seed }),
    ...(grader && { grader }),
    ...(machine && { machine }),
  };
}

interface Course {
  /** The name the agent gave itself, once it is known. */
  agent?: string;
  about?: ReturnType<typeof aboutOf>;
  readonly entries: TrialEntry[];
  /** How they ended. */
  readonly counts: Tally;
  readonly begun: Set<number>;
}

/** The trials of a case are in one line, so their step ids say which trial they belong to. */
function entryOf(result: CaptureResult, trialNum: number) {
  const { output, trajectory, timing, toolErrors, score, errors } = result;
  return classified({
    trialNum,
    output,
    trajectory: trajectory.map((step, index) => ({ ...step, stepId: `${result.id}-trial-${trialNum}-step-${index + 1}` })),
    duration: timing.end - timing.start,
    ...(score === undefined
      ? {}
      : { pass: score.pass, score: score.score, ...(score.reasoning === undefined ? {} : { reasoning: score.reasoning }) }),
    toolErrors,
    ...(errors === undefined ? {} : { errors }),
    ...runFactsIn(result),
  });
}

function resultOf(
  { evaluation, case: row, caseHash, entrant, inputs, shard }: CaseTask,
  { entries, agent = entrant.label, about }: Course,
  { isGraded, outOfTime }: TrialsOptions,
  stopping: Stopping | undefined,
): TrialResult {
  const trials = [...entries].sort((a, b) => a.trialNum - b.trialNum);
  const k = trials.length;
  const { statistics, ...numbers } = trialNumbers(trials, k, { stopping, outOfTime });
  return {
    id: row.id,
    input: row.input,
    ...(row.expected === undefined ? {} : { expected: row.expected }),
    k,
    ...(isGraded ? numbers : {}),
    trials,
    metadata: { ...row.metadata, agent },
    ...(isGraded ? { statistics } : {}),
    ...(evaluation === undefined ? {} : { evaluation }),
    agent: entrant.label,
    ...(entrant.settings.model === undefined ? {} : { model: entrant.settings.model }),
    ...about,
    configuration: entrant.configuration,
    caseHash,
    ...(inputs && { inputs }),
    ...(shard !== undefined && { shard }),
  };
}
