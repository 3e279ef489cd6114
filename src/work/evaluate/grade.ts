import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { DataDirectory } from "../../host/recording/index.ts";
import { type Objects, removeTree } from "../../host/workspace/index.ts";
import type { JsonObject } from "../../pure/base/index.ts";
import { capturesOf, trialNumbers, trialsIn } from "./results/index.ts";
import { rebuildState } from "./running/index.ts";
import { type Grader, isGraded, isLost, type RunFacts, type TrialEntry, type TrialStatistics } from "./trial/index.ts";

/** Where it is graded, and from what. */
export interface GradingPlace {
  readonly data: DataDirectory;
  /** The contents that runs of evaluations have kept; undefined where the grader looks at no workspace. */
  readonly objects: Objects | undefined;
  readonly scratch: string;
  readonly signal: AbortSignal;
}

/** The same line with new grades: nothing is run again, the workspace is rebuilt from what the run kept. */
export async function regraded(
  line: JsonObject & { readonly id: string },
  grader: Grader,
  { data, objects, scratch, signal }: GradingPlace,
): Promise<JsonObject> {
  const captures = capturesOf(line);
  const trials: JsonObject[] = [];
  for (const [index, trial] of trialsIn(line).entries()) {
    const record = captures[index];
    if (record !== undefined) trials.push(await gradedTrial(trial, { ...record, hint: record.expected }));
  }
  if (!Array.isArray(line["trials"])) return trials[0] ?? line;
  const entries = trials as unknown as TrialEntry[];
  const { statistics, ...numbers } = trialNumbers(
    entries,
    typeof line["k"] === "number" ? line["k"] : entries.length,
    (line["statistics"] as TrialStatistics | undefined)?.stopping,
  );
  return { ...line, ...numbers, trials: entries, statistics };

  async function gradedTrial(trial: JsonObject, input: Parameters<Grader["grade"]>[0]): Promise<JsonObject> {
    const { score: _, pass: __, reasoning: ___, gradeError: ____, ...rest } = trial;
    const { runs = [], status } = trial as unknown as Partial<RunFacts>;
    if (status !== undefined && isLost(status)) return rest;
    const run = runs.at(-1);
    const cwd = join(scratch, "workspace");
    try {
      const hasWorkspace = objects !== undefined && run !== undefined && (await rebuildState(data, objects, run, fresh(cwd)));
      const graded = await grader.grade({ ...input, ...(hasWorkspace ? { cwd } : {}), ...(run === undefined ? {} : { run }) }, signal);
      if (!isGraded(graded)) return { ...rest, gradeError: graded.error };
      return Array.isArray(line["trials"]) ? { ...rest, ...graded.grade } : { ...rest, score: graded.grade };
    } finally {
      await removeTree(cwd);
    }
  }
}

function fresh(directory: string): string {
  mkdirSync(directory, { mode: 0o700 });
  return directory;
}
