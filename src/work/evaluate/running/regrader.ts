import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DataDirectory } from "../../../host/recording/index.ts";
import { openObjects, removeTree } from "../../../host/workspace/index.ts";
import { arrayOf, HarnessError, isObject, type JsonObject, numberOf, stringOf } from "../../../pure/base/index.ts";
import { isCounted } from "../../../pure/verdicts/index.ts";
import type { Capture } from "../../../pure/views/index.ts";
import type { Case } from "../cases/index.ts";
import type { RecalledAnswers } from "../graders/index.ts";
import { capturesOf, type ReadLine, trialNumbers, trialsIn } from "../results/index.ts";
import {
  classified,
  classOf,
  type GraderInput,
  gradeIn,
  isGraded,
  isRepeated,
  type PreparedGrader,
  type RunFacts,
  sumJudging,
  type TrialEntry,
  type TrialStatistics,
} from "../trial/index.ts";
import { rebuildState } from "./rebuild-state.ts";
import { type RecordedTrial, recordedAnswer, recordedTrial, type Unproven } from "./recorded-trial.ts";

const MASKED = "the workspace held secrets, which were not kept, so it cannot be graded again";

export interface Regrader {
  /** The line with new grades, of all its trials or of those that have none because the grader failed. */
  graded(line: ReadLine["line"], which: "all" | "failed"): Promise<JsonObject>;
  /**
   * The line as the recordings of its trials and a new grade show it. Nothing in it is believed, not even its case. A run in `used` is not
   * proof once more.
   */
  proven(line: ReadLine["line"], row: Case, used: Set<string>): Promise<Proof>;
  /** What judges were asked for, in US dollars, as far as they report it. */
  readonly costUsd: number;
  /** Whether trials stay without a grade because `maxCostUsd` was reached. */
  readonly isCut: boolean;
  close(): Promise<void>;
}

export interface Proof {
  /** Unchanged if it says what was shown. */
  readonly line: JsonObject;
  readonly isChanged: boolean;
  /** Why the result of a trial that counts could not be shown, per trial. */
  readonly unproven: readonly string[];
}

export interface RegraderOptions {
  readonly signal: AbortSignal;
  /** What judges answered before. They are not asked again about the same. */
  readonly recalled?: RecalledAnswers;
  /** Once judges have cost this much, what has no grade stays without one. Default: no limit. */
  readonly maxCostUsd?: number | undefined;
}

/** Grades results again. Runs nothing: it reads the recorded runs, and rebuilds the workspaces from them. */
export function openRegrader(
  grader: PreparedGrader,
  data: DataDirectory,
  { signal, recalled, maxCostUsd = Number.POSITIVE_INFINITY }: RegraderOptions,
): Regrader {
  const scratch = mkdtempSync(join(tmpdir(), "harness-grade-"));
  const objects = grader.needsWorkspace ? openObjects(join(data.root, "evaluations", "objects")) : undefined;
  let workspaces = 0;
  let costUsd = 0;
  let isCut = false;

  /** Whether the trial stays without a grade. */
  function isTooLate(trial: JsonObject): boolean {
    const isLate = isUngraded(trial) && costUsd >= maxCostUsd;
    isCut ||= isLate;
    return isLate;
  }

  /** An earlier grade cannot stay unproven: it is made again, or everything stops. */
  function checkCost(before: number): void {
    if (costUsd === before || costUsd < maxCostUsd) return;
    const what = `To show that the earlier grades are right, judges were asked again for $${costUsd.toFixed(2)}, and the limit is reached.`;
    throw new HarnessError("usage", what, { option: "maxCostUsd" });
  }

  async function gradedTrial(trial: JsonObject, record: GraderInput, isCapture: boolean, isRepeat: boolean): Promise<JsonObject> {
    const {
      pass: _,
      score: __,
      reasoning: ___,
      gradeError: ____,
      uncountedGrade: _____,
      class: ______,
      judging: _______,
      gradedIn: ________,
      unverified: _________,
      ...bare
    } = trial;
    const { runs = [], judging: earlier } = trial as unknown as Partial<RunFacts>;
    const use = classOf(bare).grade;
    if (use === "none") return classified(bare);
    const run = runs.at(-1);
    const cwd = join(scratch, String(workspaces++));
    try {
      const state = objects === undefined || run === undefined ? "missing" : await rebuildState(data, objects, run, fresh(cwd));
      if (state === "masked") return classified({ ...bare, ...(earlier && { judging: earlier }), gradeError: MASKED });
      const input = { ...record, ...(state === "done" ? { cwd } : {}), ...(run === undefined ? {} : { run }) };
      const verdict = await grader.grade(input, signal);
      costUsd += verdict.judging?.cost ?? verdict.judging?.partialCost?.costUsd ?? 0;
      const judging = sumJudging([isRepeat ? earlier : undefined, verdict.judging]);
      const { gradedIn } = verdict;
      const rest = { ...bare, ...(judging && { judging }), ...(gradedIn && { gradedIn }) };
      if (!isGraded(verdict)) return classified({ ...rest, gradeError: verdict.error });
      if (use === "informs") return classified({ ...rest, uncountedGrade: verdict.grade });
      return classified(isCapture ? { ...rest, score: verdict.grade } : { ...rest, ...verdict.grade });
    } finally {
      await removeTree(cwd);
    }
  }

  /** What the recordings of a trial show, or why they show nothing. */
  function recorded(
    line: ReadLine["line"],
    trial: JsonObject,
    input: Case["input"],
    used?: Set<string>,
  ): RecordedTrial | Unproven | Promise<RecordedTrial | Unproven> {
    const runs = (arrayOf(trial["runs"]) ?? []).flatMap((run) => stringOf(run) ?? []);
    const again = runs.find((run) => used?.has(run));
    if (again !== undefined) return { why: "foreign", problem: `The run ${again} is also the run of a different trial` };
    for (const run of runs) used?.add(run);
    const trialNum = Array.isArray(line["trials"]) ? numberOf(trial["trialNum"]) : undefined;
    const [agent, evaluation, configuration] = [line["agent"], line["evaluation"], line["configuration"]].map(stringOf);
    return recordedTrial(data, { id: line.id, agent, input, isFromCase: used !== undefined, trialNum, runs, evaluation, configuration });
  }

  async function recall(trial: JsonObject): Promise<void> {
    const { judging } = trial as unknown as Partial<RunFacts>;
    if (recalled === undefined || !isObject(judging)) return;
    for (const run of judging.runs ?? []) {
      const answer = await recordedAnswer(data, run);
      if (answer !== undefined) recalled.add(answer);
    }
  }

  return {
    get costUsd() {
      return costUsd;
    },
    get isCut() {
      return isCut;
    },
    async graded(line, which) {
      const isCapture = !Array.isArray(line["trials"]);
      const captures = capturesOf(line);
      const trials: JsonObject[] = [];
      for (const [index, trial] of trialsIn(line).entries()) {
        const record = captures[index];
        if (record === undefined) continue;
        if (which === "failed" && (!isUngraded(trial) || isTooLate(trial))) {
          trials.push(trial);
          continue;
        }
        const shown = await recorded(line, trial, record.input);
        if ("why" in shown && shown.why !== "gone") throw new HarnessError("input", `${shown.problem}. Repeat its case.`);
        const seen = "why" in shown ? trial : asRecorded(line, trial, shown);
        const work = "why" in shown ? record : { ...shown.record, ...aboutCase(record) };
        const graded = await gradedTrial(seen, { ...work, hint: record.expected }, isCapture, which === "failed");
        trials.push("why" in shown ? classified({ ...graded, unverified: shown.problem }) : graded);
      }
      return isCapture ? (trials[0] ?? line) : withNumbers(line, trials);
    },
    async proven(line, row, used) {
      const isCapture = !Array.isArray(line["trials"]);
      const trials: JsonObject[] = [];
      const unproven: string[] = [];
      const { input, expected } = row;
      for (const trial of trialsIn(line)) {
        const shown = await recorded(line, trial, input, used);
        const named = `case ${JSON.stringify(row.id)}${isCapture ? "" : ` trial ${String(trial["trialNum"])}`}`;
        if ("why" in shown) {
          const isExpected = isRepeated(classOf(trial).class) || isKnownAsLost(trial, shown);
          if (!isExpected) unproven.push(`${named}: ${shown.problem}`);
          trials.push(trial);
          continue;
        }
        if (isTooLate(trial)) {
          trials.push(trial);
          continue;
        }
        const spent = costUsd;
        if (!isUngraded(trial)) await recall(trial); // an answer that gave no verdict is not one to keep
        const work = { ...shown.record, id: row.id, input, ...(expected !== undefined && { expected, hint: expected }) };
        const graded = await gradedTrial(asRecorded(line, trial, shown), { ...work, metadata: metadataOf(line, row) }, isCapture, true);
        if (!isUngraded(trial)) checkCost(spent);
        if (isCounted(classOf(trial).class) && isUngraded(graded) && !isUngraded(trial))
          unproven.push(`${named}: ${String(graded["gradeError"])}`);
        trials.push(says(graded) === says(trial) ? trial : graded);
      }
      const about = { ...line, input, ...(expected === undefined ? {} : { expected }), metadata: metadataOf(line, row) };
      const now = isCapture ? { ...(trials[0] ?? line), ...aboutLine(about) } : withNumbers(about, trials);
      const isChanged = JSON.stringify(decisive(now)) !== JSON.stringify(decisive(line));
      return { line: isChanged ? now : line, isChanged, unproven };
    },
    async close() {
      objects?.close();
      await removeTree(scratch);
    },
  };
}

/** A trial has failed if the agent destroyed its recording. One that names no recording, or that of a different trial, says nothing. */
function isKnownAsLost(trial: JsonObject, { why }: Unproven): boolean {
  return trial["reason"] === "evidence-lost" && why !== "foreign" && (arrayOf(trial["runs"]) ?? []).length > 0;
}

/** Whether a trial has no grade because the grader failed. */
export function isUngraded(trial: JsonObject): boolean {
  return trial["gradeError"] !== undefined;
}

/** The trial with everything that its recordings show. */
function asRecorded(line: ReadLine["line"], trial: JsonObject, { record, facts }: RecordedTrial): JsonObject {
  const { errors: _, partialUsage: __, partialCost: ___, ...rest } = trial;
  const { output, trajectory, timing, toolErrors, errors } = record;
  const { durations } = trial as unknown as Partial<RunFacts>;
  const timed = facts.durations && {
    durations: { ...facts.durations, ...(durations?.grading !== undefined && { grading: durations.grading }) },
  };
  const same = { ...rest, output, toolErrors, ...(errors && { errors }), ...facts, ...timed };
  const { trialNum } = trial;
  if (!Array.isArray(line["trials"])) return { ...same, trajectory, timing };
  const steps = trajectory.map((step, index) => ({ ...step, stepId: `${line.id}-trial-${String(trialNum)}-step-${index + 1}` }));
  return { ...same, trajectory: steps, duration: timing.end - timing.start };
}

function aboutCase({ id, input, expected, metadata }: Capture) {
  return { id, input, ...(expected === undefined ? {} : { expected }), metadata };
}

function aboutLine({ id, input, expected, metadata }: JsonObject): JsonObject {
  return { id, input, ...(expected === undefined ? {} : { expected }), metadata };
}

/** The case's own metadata, with the agent's name that we add. */
function metadataOf(line: JsonObject, row: Case): Record<string, unknown> {
  const before = line["metadata"];
  return { ...row.metadata, ...(isObject(before) && "agent" in before && { agent: before["agent"] }) };
}

/** What a trial says that others act on. Its steps and notes may differ between versions. */
function says(trial: JsonObject): string {
  const { pass = null, score = null } = gradeIn(trial);
  const { status = null, reason = null, output, class: kind = null, usage = null, cost = null } = trial;
  return JSON.stringify([pass, score, status, reason, output, kind, usage, cost]);
}

function decisive(line: JsonObject): unknown {
  const { input, expected = null, k = null, passRate = null, passAtK = null, passExpK = null, statistics = null } = line;
  return [input, expected, k, passRate, passAtK, passExpK, statistics, trialsIn(line).map(says)];
}

function withNumbers(line: JsonObject, trials: readonly JsonObject[]): JsonObject {
  const entries = trials as unknown as readonly TrialEntry[];
  const k = typeof line["k"] === "number" ? line["k"] : entries.length;
  const { stopping, outOfTime } = (line["statistics"] as TrialStatistics | undefined) ?? {};
  const { statistics, ...numbers } = trialNumbers(entries, k, { stopping, outOfTime });
  return { ...line, ...numbers, trials: entries, statistics };
}

function fresh(directory: string): string {
  mkdirSync(directory, { mode: 0o700 });
  return directory;
}
