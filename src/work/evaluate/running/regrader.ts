import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DataDirectory } from "../../../host/recording/index.ts";
import { openObjects, removeTree } from "../../../host/workspace/index.ts";
import type { JsonObject } from "../../../pure/base/index.ts";
import { capturesOf, type ReadLine, trialNumbers, trialsIn } from "../results/index.ts";
import {
  classified,
  classOf,
  type GraderInput,
  isGraded,
  type PreparedGrader,
  type RunFacts,
  sumJudging,
  type TrialEntry,
  type TrialStatistics,
} from "../trial/index.ts";
import { rebuildState } from "./rebuild-state.ts";

const MASKED = "the workspace held secrets, which were not kept, so it cannot be graded again";

export interface Regrader {
  /** The line with new grades, of all its trials or of those that have none because the grader failed. */
  graded(line: ReadLine["line"], which: "all" | "failed"): Promise<JsonObject>;
  close(): Promise<void>;
}

/** Grades results again. Runs nothing: it rebuilds the workspaces from the recorded runs. */
export function openRegrader(grader: PreparedGrader, data: DataDirectory, signal: AbortSignal): Regrader {
  const scratch = mkdtempSync(join(tmpdir(), "harness-grade-"));
  const objects = grader.needsWorkspace ? openObjects(join(data.root, "evaluations", "objects")) : undefined;
  let workspaces = 0;

  async function gradedTrial(trial: JsonObject, record: GraderInput, isCapture: boolean, isRepeat: boolean): Promise<JsonObject> {
    const { pass: _, score: __, reasoning: ___, gradeError: ____, uncountedGrade: _____, class: ______, judging: _______, ...bare } = trial;
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
      const judging = sumJudging([isRepeat ? earlier : undefined, verdict.judging]);
      const rest = { ...bare, ...(judging && { judging }) };
      if (!isGraded(verdict)) return classified({ ...rest, gradeError: verdict.error });
      if (use === "informs") return classified({ ...rest, uncountedGrade: verdict.grade });
      return classified(isCapture ? { ...rest, score: verdict.grade } : { ...rest, ...verdict.grade });
    } finally {
      await removeTree(cwd);
    }
  }

  return {
    async graded(line, which) {
      const isCapture = !Array.isArray(line["trials"]);
      const captures = capturesOf(line);
      const trials: JsonObject[] = [];
      for (const [index, trial] of trialsIn(line).entries()) {
        const record = captures[index];
        if (record === undefined) continue;
        const isWanted = which === "all" || isUngraded(trial);
        trials.push(isWanted ? await gradedTrial(trial, { ...record, hint: record.expected }, isCapture, which === "failed") : trial);
      }
      return isCapture ? (trials[0] ?? line) : withNumbers(line, trials);
    },
    async close() {
      objects?.close();
      await removeTree(scratch);
    },
  };
}

/** Whether a trial has no grade because the grader failed. */
export function isUngraded(trial: JsonObject): boolean {
  return trial["gradeError"] !== undefined;
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
