import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dataOf } from "../../host/recording/index.ts";
import { openObjects, removeTree } from "../../host/workspace/index.ts";
import type { JsonObject } from "../../pure/base/index.ts";
import { type GraderOptions, graderOf } from "./graders/index.ts";
import { capturesOf, readResults, trialNumbers, trialsIn } from "./results/index.ts";
import { rebuildState } from "./running/index.ts";
import { classified, classOf, type GraderInput, isGraded, type RunFacts, type TrialEntry, type TrialStatistics } from "./trial/index.ts";

export interface GradeOptions extends GraderOptions {
  /** The data directory with the runs. Default: `$XDG_DATA_HOME/harness`. */
  readonly dataDirectory?: string;
  readonly signal?: AbortSignal;
}

/** The same lines with new grades. Runs nothing: it rebuilds the workspaces from the recorded runs. */
export async function* grade(results: string, options: GradeOptions): AsyncGenerator<JsonObject, void> {
  const { signal = new AbortController().signal } = options;
  const grader = await graderOf(options);
  const data = dataOf(options);
  const scratch = mkdtempSync(join(tmpdir(), "harness-grade-"));
  const objects = grader.needsWorkspace ? openObjects(join(data.root, "evaluations", "objects")) : undefined;

  async function graded(trial: JsonObject, record: GraderInput, isCapture: boolean): Promise<JsonObject> {
    const { pass: _, score: __, reasoning: ___, gradeError: ____, uncountedGrade: _____, class: ______, judging: _______, ...bare } = trial;
    const { runs = [] } = trial as unknown as Partial<RunFacts>;
    const use = classOf(bare).grade;
    if (use === "none") return classified(bare);
    const run = runs.at(-1);
    const cwd = join(scratch, "workspace");
    try {
      const hasWorkspace = objects !== undefined && run !== undefined && (await rebuildState(data, objects, run, fresh(cwd)));
      const input = { ...record, ...(hasWorkspace ? { cwd } : {}), ...(run === undefined ? {} : { run }) };
      const verdict = await grader.grade(input, signal);
      const rest = { ...bare, ...(verdict.judging && { judging: verdict.judging }) };
      if (!isGraded(verdict)) return classified({ ...rest, gradeError: verdict.error });
      if (use === "informs") return classified({ ...rest, uncountedGrade: verdict.grade });
      return classified(isCapture ? { ...rest, score: verdict.grade } : { ...rest, ...verdict.grade });
    } finally {
      await removeTree(cwd);
    }
  }

  try {
    for (const { line } of readResults(results)) {
      if (signal.aborted) return;
      const isCapture = !Array.isArray(line["trials"]);
      const captures = capturesOf(line);
      const trials: JsonObject[] = [];
      for (const [index, trial] of trialsIn(line).entries()) {
        const record = captures[index];
        if (record !== undefined) trials.push(await graded(trial, { ...record, hint: record.expected }, isCapture));
      }
      yield isCapture ? (trials[0] ?? line) : withNumbers(line, trials);
    }
  } finally {
    objects?.close();
    await removeTree(scratch);
  }
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
