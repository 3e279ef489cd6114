import { resolve, sep } from "node:path";
import { pinFiles } from "../../host/files/index.ts";
import { checkKey, dataOf } from "../../host/recording/index.ts";
import { HarnessError, type JsonObject } from "../../pure/base/index.ts";
import { sampleOf } from "../../pure/statistics/index.ts";
import type { OutOfTime } from "../../pure/verdicts/index.ts";
import { type CaseRow, type Cases, checkFound, openCases, type Selection, selector, workspaceOf } from "./cases/index.ts";
import { continueResults } from "./continue-results.ts";
import { type CheckedEntrant, type EntrantsOptions, entrantsOf } from "./entrants.ts";
import { type GraderOptions, graderSpecOf } from "./graders/index.ts";
import { withInputs } from "./inputs.ts";
import { type Chosen, graderProblems, rejectProblems, workspaceProblems } from "./preflight.ts";
import type { Progress } from "./progress.ts";
import { checkMixed, type Finished, openResults, type ResultFile, type ResultOptions } from "./results/index.ts";
import { evaluationsFolder, executeTrial, openRegrader, openTrialHost, type TrialHost } from "./running/index.ts";
import { type Limits, limitsOf, type Scheduled, schedule, type TrialPlan } from "./scheduling/index.ts";
import { partOf, type Shard } from "./shard.ts";
import {
  type CaptureResult,
  type CaseTask,
  caseHash,
  classified,
  type Entrant,
  type GraderSpec,
  keepConfiguration,
  type LocalCode,
  localCode,
  type PreparedGrader,
  plain,
  type TrialExecutor,
  type TrialSpec,
} from "./trial/index.ts";
import { validateRefs } from "./validate-refs.ts";

/** The options that `capture`, `trials` and `evaluate` share. */
export interface EvaluationOptions<Result> extends EntrantsOptions, GraderOptions, Selection, ResultOptions<Result> {
  /** The data set: a file (JSON lines, JSON, YAML or CSV), a directory of task folders, or the cases themselves. */
  readonly cases: string | readonly CaseRow[];
  /** Only this part of the cases, of so many: one of several calls on different machines. */
  readonly shard?: Shard;
  /** False: start without checking the agents, the graders and the workspaces. */
  readonly check?: boolean;
  /** Before anything runs, grade the reference solutions, all of which must pass. */
  readonly checkRefs?: boolean;
  /** Continue a file even if its cases, agents or options have changed. */
  readonly allowMixed?: boolean;
  /** With `append`: believe the earlier grades. Default: they are made again from the recorded runs, which must be there. */
  readonly trustGrades?: boolean;
  /** How many trials run in parallel. Default: the number of cores. */
  readonly concurrency?: number | Limits;
  /** How many times to repeat a trial that the model's provider lost. Default: 0. */
  readonly retries?: number;
  /** Start no more trials once agents and judges have reported this cost. */
  readonly maxCostUsd?: number;
  /** The data directory with the runs. Default: `$XDG_DATA_HOME/harness`. */
  readonly dataDirectory?: string;
  /** Whether trials out of time are part of pass rates, as failures, or left out. Default: `failed`. */
  readonly outOfTime?: OutOfTime;
  /** Runs a trial elsewhere. Default: `executeTrial`, in this process. */
  readonly execute?: TrialExecutor;
  /** An SSH key that signs every run when it is sealed. */
  readonly sign?: string | undefined;
  /** Stops the running trials, which then have no result, and starts no more. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** How an evaluation ended. */
export interface Evaluation<Result> extends Scheduled {
  /** The results of this call, in the order they finished; empty if `output` was given. */
  readonly results: readonly Result[];
  /** If it stopped early: the finished trials of cases that have no line yet. */
  readonly unfinished?: readonly JsonObject[];
}

/** Decides which trials an evaluation runs, and learns at the end whether all did. */
export interface OpenPlan {
  readonly plan: TrialPlan;
  readonly close?: (isComplete: boolean) => void;
}

/** Checks everything first, then runs the trials. If it throws before the first trial, nothing has been started. */
export async function runEvaluation<Result extends object>(
  options: EvaluationOptions<Result>,
  command: string,
  keptOf: (line: JsonObject) => number | undefined,
  planOf: (out: ResultFile) => OpenPlan,
): Promise<Evaluation<Result>> {
  if (options.sign !== undefined) await checkKey(signable(options, options.sign));
  const code = localCode();
  const onRestored = (workspace: string) => options.onProgress?.({ type: "restored", workspace });
  const host = openTrialHost({ code, dataDirectory: options.dataDirectory, sign: options.sign, onRestored });
  const { chosen, entrants, inputs, grader, prepared } = await checkedStart(options, host, code);
  if (options.checkRefs === true) rejectProblems(await referenceProblems(options));
  const { out, results, signal } = await openResults(options, dataOf(options), command, keptOf);
  if (out.torn !== undefined) options.onProgress?.({ type: "set-aside", path: out.torn });
  let isComplete = false;
  let open: OpenPlan | undefined;
  try {
    open = planOf(out);
    const execute = options.execute ?? ((spec, stop) => executeTrial(spec, host, stop));
    /** Before any agent can write to them. A different executor has its own. */
    const prepare = async (workspaces: Iterable<string | undefined>) => {
      if (options.execute !== undefined) return;
      const all = [...workspaces];
      for (const { entrant } of entrants) {
        const removed = new Set<string>();
        for (const workspace of all)
          if (!signal.aborted)
            for (const path of (await host.place().templates.prepare(workspace, entrant.layers)).removed) removed.add(path);
        if (!signal.aborted && all.length > 0) checkRemoved(entrant, removed);
      }
    };
    const trustGrades = options.trustGrades === true || options.execute !== undefined; // a different executor has its own recordings
    const end = await runAll(
      { ...options, signal, execute, prepare, host, trustGrades, inputs },
      entrants,
      chosen,
      { grader, prepared },
      out,
      open.plan,
    );
    isComplete = end.stopped === undefined;
    return { ...end, results, ...(!isComplete && { unfinished: open.plan.unfinished?.() ?? [] }) };
  } finally {
    try {
      open?.close?.(isComplete);
      host.close();
    } finally {
      await out.close();
    }
  }
}

/** What an evaluation starts with. Throws if its agents, graders or workspaces are not fit; starts no agent. */
export async function checkedStart(options: EvaluationOptions<never>, host: TrialHost, code: LocalCode) {
  const named = graderSpecOf(options, code);
  await host.graderOf(named);
  const bare = await entrantsOf(options, named, code);
  const chosen = chosenOf(options);
  const hidden = [
    ...chosen.answers,
    ...[options.file, options.output].flatMap((path) => (typeof path === "string" ? [resolve(path)] : [])),
  ];
  const grader = named && { ...named, hidden };
  const prepared = await host.graderOf(grader);
  const { entrants, inputs } = withInputs(options.file, bare, chosen, prepared?.files ?? []);
  if (options.check !== false) {
    const unfit = entrants.flatMap(({ problems }) => problems);
    const wantGit = entrants.flatMap(({ needsGit, title }) => (needsGit ? [title] : []));
    rejectProblems([...unfit, ...workspaceProblems(chosen, wantGit), ...(await graderProblems(prepared))]);
  }
  checkTurns({ ...chosen.cases, places: chosen.places }, entrants);
  return { chosen, entrants, inputs, grader, prepared };
}

function signable({ execute }: EvaluationOptions<never>, key: string): string {
  if (execute === undefined) return key;
  throw new HarnessError("usage", "`sign` cannot sign the runs of `execute`. Pass `sign` to openTrialHost there instead.", {
    option: "sign",
  });
}

function chosenOf(options: EvaluationOptions<never>): Chosen {
  const cases = openCases(options.cases, selector(options));
  checkFound(cases.places, options, cases.name);
  const workspace = options.workspace ?? (options.cwd === undefined ? undefined : resolve(options.cwd));
  const file = typeof options.cases === "string" ? options.cases : undefined;
  const places = partOf(sampleOf(cases.places, options.sample, options.seed ?? 1), options.shard);
  const references = referencesIn({ ...cases, places });
  return { cases, places, workspace, file, answers: [...(file === undefined ? [] : [resolve(file)]), ...references] };
}

async function referenceProblems(options: EvaluationOptions<never>): Promise<readonly string[]> {
  const problems: string[] = [];
  let checked = 0;
  const workspace = options.workspace ?? (options.cwd === undefined ? undefined : resolve(options.cwd));
  for await (const { id, pass, error, reasoning } of validateRefs(options.cases, { ...options, workspace })) {
    checked++;
    if (pass) continue;
    const why = error ?? reasoning ?? "it gives no reason";
    problems.push(`The grader does not pass the reference of the case ${JSON.stringify(id)}: ${why}. Correct the grader or the case.`);
  }
  return checked === 0 ? ["No case has a reference to check. Add one to a case, or leave out `checkRefs`."] : problems;
}

async function runAll(
  options: EvaluationOptions<never> & {
    readonly execute: TrialExecutor;
    readonly host: TrialHost;
    readonly prepare: (workspaces: Iterable<string | undefined>) => Promise<void>;
    readonly signal: AbortSignal;
    readonly inputs: CaseTask["inputs"];
  },
  entrants: readonly CheckedEntrant[],
  { cases, places, workspace, file }: Chosen,
  { grader, prepared }: { readonly grader: GraderSpec | undefined; readonly prepared: PreparedGrader | undefined },
  out: ResultFile,
  plan: TrialPlan,
): Promise<Scheduled> {
  const { execute, signal, onProgress: report = () => {} } = options;
  if (cases.unread.length > 0) report({ type: "unread", name: cases.name, fields: cases.unread });
  const data = dataOf(options);
  evaluationsFolder(data);
  const references = referencesIn({ ...cases, places });
  const pins = pinFiles([...(file === undefined ? [] : [file]), ...references, ...entrants.flatMap(({ sources }) => sources)]);
  const known = new Map(
    options.append !== true
      ? []
      : places.map((place) => [place.id, { hash: caseHash(cases.read(place)), read: () => cases.read(place) }] as const),
  );
  if (out.path !== undefined && out.evaluation === undefined) report({ type: "unbound", path: out.path });
  if (options.allowMixed !== true) checkMixed(out, entrants, known, data);
  const isOurs = ({ id, agent, configuration, caseHash: hash }: Finished, kept = 1) => {
    const asked = entrants.find(({ entrant }) => entrant.label === agent)?.entrant;
    const row = known.get(id);
    return asked !== undefined && row !== undefined && (kept === 0 || (configuration === asked.configuration && hash === row.hash));
  };
  const reopened = out.open.filter(({ work, kept }) => isOurs(work, kept));
  const { maxCostUsd } = options;
  const { recalled } = options.host;
  const regrader =
    prepared === undefined || options.append !== true ? undefined : openRegrader(prepared, data, { signal, recalled, maxCostUsd });
  try {
    await continueResults(out, plan, reopened, {
      regrader,
      concurrency: limitsOf(options.concurrency).total,
      signal,
      isTrusted: options.trustGrades === true,
      rowOf: (work) => (isOurs(work) ? known.get(work.id)?.read() : undefined),
      report,
    });
  } finally {
    await regrader?.close();
  }
  out.begin();
  for (const { entrant, details } of entrants) keepConfiguration(data, entrant.configuration, details);

  const labels = entrants.map(({ entrant }) => entrant.label);
  const finished = out.finished.filter(({ agent }) => labels.includes(agent)).length - reopened.length;
  const kept = reopened.reduce((sum, line) => sum + line.kept, 0);
  const count = Math.max(0, places.length * entrants.length - finished);
  report({ type: "planned", agents: labels, trials: plan.perCase === undefined ? undefined : count * plan.perCase - kept });

  const over = new Set(
    out.finished.filter((work) => !reopened.some((line) => line.work === work)).map(({ id, agent }) => `${agent}\n${id}`),
  );
  const open = places.filter(({ id }) => labels.some((label) => !over.has(`${label}\n${id}`)));
  await options.prepare(new Set(open.map((place) => workspaceOf(cases.read(place).workspace ?? workspace, cases))));

  function* specsOf({ entrant }: CheckedEntrant): Generator<TrialSpec> {
    for (const place of places) {
      const row = cases.read(place);
      const task: CaseTask = plain({
        evaluation: out.evaluation,
        entrant,
        case: row,
        caseHash: caseHash(row),
        workspace: workspaceOf(row.workspace ?? workspace, cases),
        home: options.home ?? "private",
        timeoutMs: row.timeout ?? options.timeoutMs,
        grader,
        ...(options.sample !== undefined && { seed: options.seed ?? 1 }),
        inputs: options.inputs,
        shard: options.shard && `${options.shard.part}/${options.shard.of}`,
      });
      for (let trialNum = plan.next(task); trialNum !== undefined; trialNum = plan.next(task)) yield { ...task, trialNum };
    }
  }

  const aboutOf = ({ entrant, case: { id }, trialNum }: TrialSpec) => ({ agent: entrant.label, id, trialNum });

  function accept(spec: TrialSpec, result: CaptureResult): void {
    if (signal.aborted) return; // a trial that we stopped has no result
    const judged = classified(result);
    plan.accept(spec, judged);
    report({ type: "finished", ...aboutOf(spec), result: judged });
  }

  /** A result counts only if what it was compared with is still what it was before any agent ran. */
  async function pinned(spec: TrialSpec, stop: AbortSignal): Promise<CaptureResult> {
    const result = await execute(spec, stop);
    const path = pins.changed();
    if (path === undefined) return result;
    const isReference = references.some((directory) => path === directory || path.startsWith(`${directory}${sep}`));
    const what = path === options.cases ? "The data set" : isReference ? "A reference solution" : "A file of the evaluation";
    throw new HarnessError("input", `${what} changed during the evaluation: ${path} is not what it was at the start. Restore the file.`);
  }

  const end = await schedule(new Map(entrants.map((checked) => [checked.entrant.label, specsOf(checked)])), pinned, accept, {
    ...options,
    limits: limitsOf(options.concurrency),
    spentUsd: regrader?.costUsd ?? 0,
    onAttempt: (spec, number) => report({ type: number === 1 ? "started" : "retried", ...aboutOf(spec) }),
  });
  return regrader?.isCut === true ? { stopped: "cost", ...end } : end;
}

/** A side without something that no workspace has would be compared with itself. */
function checkRemoved({ label, layers = [] }: Entrant, removed: ReadonlySet<string>): void {
  const missing = layers.flatMap((each) => ("remove" in each && !removed.has(each.remove) ? [each.remove] : []));
  if (missing.length > 0)
    throw new HarnessError("usage", `${label} leaves out ${missing.join(", ")}, which no workspace has. Check the name.`, {
      option: "without",
    });
}

/** The directories of reference solutions. */
function referencesIn({ places, read, directory }: Pick<Cases, "places" | "read" | "directory">): readonly string[] {
  const found = new Set<string>();
  for (const place of places) {
    const { reference } = read(place);
    if (reference?.startsWith("files:")) found.add(resolve(directory, reference.slice("files:".length)));
  }
  return [...found];
}

function checkTurns({ name, places }: Pick<Cases, "name" | "places">, entrants: readonly CheckedEntrant[]): void {
  const talk = places.find(({ turns }) => turns > 1);
  const mute = entrants.find(({ resumes }) => !resumes);
  if (talk === undefined || mute === undefined) return;
  const what = `the case ${JSON.stringify(talk.id)} has ${talk.turns} turns, and ${mute.title} cannot resume a session`;
  throw new HarnessError("usage", `${name}:${talk.line}: ${what}. Put everything into one turn, or choose a different agent.`);
}
