import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { dataOf, ensurePrivate } from "../../host/recording/index.ts";
import { openObjects } from "../../host/workspace/index.ts";
import { HarnessError } from "../../pure/base/index.ts";
import { sampleOf } from "../../pure/statistics/index.ts";
import { type Case, type CasePlace, checkFound, openCaseFile, type Selection, selector } from "./cases/index.ts";
import { checkMixed, type ResultFile } from "./results/index.ts";
import { openTemplates, runTrial, type TrialAttempt } from "./running/index.ts";
import { type Job, type Scheduled, type ScheduleOptions, schedule } from "./scheduling/index.ts";
import { caseHash, type Entrant, type Grader, keepConfiguration, type LostAttempt } from "./trial/index.ts";

export interface EvaluationOptions extends ScheduleOptions, Selection {
  readonly dataset: string;
  readonly entrants: readonly Entrant[];
  readonly grader?: Grader;
  readonly timeoutMs?: number;
  /** For cases that name none. */
  readonly workspace?: string;
  readonly home?: "private" | "inherit";
  readonly dataDirectory?: string;
  /** Results of other configurations may stand in the same file. */
  readonly allowMixed?: boolean;
  readonly onProgress?: (progress: Progress) => void;
}

/** What happened to one trial, for whoever shows it. */
export type Progress =
  | { readonly type: "planned"; readonly agents: readonly string[]; readonly trials: number | undefined }
  | { readonly type: "started" | "retried"; readonly agent: string; readonly id: string; readonly trialNum: number }
  | { readonly type: "finished"; readonly agent: string; readonly id: string; readonly trialNum: number; readonly attempt: TrialAttempt };

/** What decides which trials there are, and what becomes of their results. */
export interface TrialPlan {
  /** How many trials a case has; undefined where that is decided as they come. */
  readonly perCase: number | undefined;
  /** The trials of one case that are still to be run: asked again and again until it answers undefined. */
  next(row: Case, hash: string, entrant: Entrant): number | undefined;
  accept(row: Case, hash: string, entrant: Entrant, trialNum: number, attempt: TrialAttempt): void;
}

/** Reads and checks everything first, then runs what is to be run. Nothing has been started where this throws. */
export async function evaluate(options: EvaluationOptions, out: ResultFile, plan: TrialPlan): Promise<Scheduled> {
  const { dataset, entrants, home = "private", signal } = options;
  const file = openCaseFile(dataset, selector(options));
  checkFound(file.places, options, dataset);
  const places = sampleOf(file.places, options.sample, options.seed ?? 1);
  checkTurns(places, entrants, dataset);
  const data = dataOf(options);
  ensurePrivate(data.root, { mayBeLink: true });
  ensurePrivate(join(data.root, "evaluations"));
  if (options.allowMixed !== true && out.finished.length > 0) {
    const cases = new Map(places.map((place) => [place.id, { hash: caseHash(file.read(place)), read: () => file.read(place) }]));
    checkMixed(out, entrants, cases, data);
  }
  out.begin();
  for (const { configuration, details } of entrants) keepConfiguration(data, configuration, details);
  const scratch = mkdtempSync(join(data.root, "evaluations", "scratch-"));
  const objects = openObjects(join(data.root, "evaluations", "objects"));
  const templates = openTemplates(data, scratch, objects, dataset);
  const report = options.onProgress ?? (() => {});

  const labels = entrants.map(({ label }) => label);
  const finished = out.finished.filter(({ agent }) => labels.includes(agent)).length;
  const cases = places.length * entrants.length - finished;
  report({ type: "planned", agents: labels, trials: plan.perCase === undefined ? undefined : Math.max(0, cases) * plan.perCase });

  function* jobsOf(entrant: Entrant): Generator<Job> {
    for (const place of places) {
      const row = file.read(place);
      const hash = caseHash(row);
      for (let trialNum = plan.next(row, hash, entrant); trialNum !== undefined; trialNum = plan.next(row, hash, entrant)) {
        yield jobOf(row, hash, entrant, trialNum);
      }
    }
  }

  function jobOf(row: Case, hash: string, entrant: Entrant, trialNum: number): Job {
    const lost: LostAttempt[] = [];
    const about = { agent: entrant.label, id: row.id, trialNum };
    return {
      agent: entrant.label,
      async attempt(number, stop) {
        report({ type: number === 1 ? "started" : "retried", ...about });
        const template = await templates.prepare(row.workspace ?? options.workspace);
        const { grader, timeoutMs } = options;
        const trial = {
          row,
          caseHash: hash,
          trialNum,
          entrant,
          template,
          home,
          data,
          objects,
          ...(grader && { grader }),
          ...(timeoutMs && { timeoutMs }),
        };
        const attempt = await runTrial(trial, [...lost], stop);
        const { runs, status, errors } = attempt.line;
        lost.push({ runs, status, reason: errors?.at(-1) ?? null });
        return attempt;
      },
      accept(attempt) {
        if (signal?.aborted) return; // a trial that we ended ourselves is no result
        plan.accept(row, hash, entrant, trialNum, attempt as TrialAttempt);
        report({ type: "finished", ...about, attempt: attempt as TrialAttempt });
      },
    };
  }

  try {
    return await schedule(new Map(entrants.map((entrant) => [entrant.label, jobsOf(entrant)])), options);
  } finally {
    objects.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

function checkTurns(places: readonly CasePlace[], entrants: readonly Entrant[], path: string): void {
  const talk = places.find(({ turns }) => turns > 1);
  const mute = entrants.find(({ resumes }) => !resumes);
  if (talk === undefined || mute === undefined) return;
  const what = `the case ${JSON.stringify(talk.id)} has ${talk.turns} turns, and ${mute.agent.title} has no way to go on with a session`;
  throw new HarnessError("usage", `${path}:${talk.line}: ${what}; ask for everything in one, or choose another agent.`);
}
