import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { canIsolate } from "../../../host/isolation/index.ts";
import { copyCredentials, endProcessesIn, runProgram } from "../../../host/process/index.ts";
import { earlierRun, isEvidenceLost, isKnown, planRun, type RecordFact, type Seal, startRun } from "../../../host/recording/index.ts";
import { hideSecretsIn } from "../../../host/secrets/index.ts";
import type { Layer } from "../../../host/workspace/index.ts";
import { errorWords, HarnessError } from "../../../pure/base/index.ts";
import { noTokens, sumUsed } from "../../../pure/events/index.ts";
import { type Evidence, isAtLeast, isolationOf, levels, wallFactsOf } from "../../../pure/isolation/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import type { Capture } from "../../../pure/views/index.ts";
import { turnsOf } from "../cases/index.ts";
import { graderEnvironment } from "../graders/index.ts";
import {
  type CaptureResult,
  checkTrialSpec,
  classified,
  classOf,
  learnSettings,
  makeTrialFolders,
  runOptionsOf,
  type TrialFolders,
  type TrialSpec,
  wallsOfTrial,
  withGrade,
} from "../trial/index.ts";
import { computedCostOf } from "./computed-cost.ts";
import { type CourseRecord, courseView, mergeCourses } from "./course.ts";
import { keepState } from "./keep-state.ts";
import { machine } from "./machine.ts";
import { mergeTurns } from "./merge-turns.ts";
import type { PreparedTemplate } from "./templates.ts";
import type { TrialHost, TrialPlace } from "./trial-host.ts";

const SETUP_MS = 10 * 60_000;

interface Trial {
  readonly spec: TrialSpec;
  readonly agent: Agent;
  readonly template: PreparedTemplate;
  readonly place: TrialPlace;
  readonly folders: TrialFolders;
  readonly signal: AbortSignal;
  readonly settings: ReturnType<typeof runOptionsOf>;
  /** The workspace, if it is a layer and not a copy. */
  readonly layer: Layer | undefined;
}

/** How a run ended, as its seal says. */
type Ending = Pick<Seal, "status" | "reason" | "usage" | "costUsd" | "partialUsage" | "partialCost">;

interface Turn {
  readonly id: string;
  readonly directory: string;
  readonly seal: Ending | undefined;
  readonly record: CourseRecord | undefined;
  readonly problem?: string;
  readonly isolation?: Evidence;
  /** What was found when its processes were gone. */
  readonly notes: readonly string[];
}

/**
 * Prepares, runs and grades one trial in its own folders. The agent's process tree is dead before the grader starts. Rejects if this
 * process lacks what the spec names: the agent, the grader or the workspace.
 */
export async function executeTrial(
  spec: TrialSpec,
  host: TrialHost,
  signal: AbortSignal = new AbortController().signal,
): Promise<CaptureResult> {
  checkTrialSpec(spec);
  learnSettings(spec.entrant.settings);
  const settings = runOptionsOf(spec.entrant.settings, host.code);
  const agent = await host.agentOf(spec.entrant.agent);
  const grader = await host.graderOf(spec.grader);
  const place = host.place();
  const template = await place.templates.prepare(spec.workspace, spec.entrant.layers);
  const folders = makeTrialFolders(place.data);
  const layer = isOutOfReach(settings, spec.home, agent) ? await template.cover(folders.workspace).catch(() => undefined) : undefined;
  const trial: Trial = { spec, agent, template, place, folders, signal, settings, layer };
  const shown = (result: CaptureResult) => hideSecretsIn(result);
  try {
    const unready = await prepare(trial);
    const turns = unready === undefined ? await runTurns(trial) : [];
    const problems = [unready, turns.at(-1)?.problem, ...turns.flatMap(({ notes }) => notes)].filter((each) => each !== undefined);
    const record = mergedOf(spec, turns);
    const input = { ...record, cwd: folders.workspace, run: turns.at(-1)?.id, hint: spec.case.expected };
    const ungraded = await resultOf(spec, turns, { ...record, errors: [...(record.errors ?? []), ...problems] }, grader?.version);
    if (grader === undefined || classOf(ungraded).grade === "none") return shown(classified(ungraded));
    if (!folders.hasWorkspace() && grader.needsWorkspace) return shown(classified(ungraded));
    const begun = performance.now();
    const graded = withGrade(ungraded, await grader.grade(input, signal));
    const grading = Math.round(performance.now() - begun);
    return shown({ ...graded, ...(graded.durations && { durations: { ...graded.durations, grading } }) });
  } finally {
    await layer?.close();
    await folders.remove();
  }
}

/** Whether our own directories are not there for the agent. A level that was asked for or is required is never weakened. */
function isOutOfReach({ isolate, requireIsolation }: Trial["settings"], home: TrialSpec["home"], agent: Agent): boolean {
  if (isolate !== undefined) return isAtLeast(isolationOf(isolate).level, "files");
  const required = levels.find((level) => level === requireIsolation);
  if (required !== undefined) return isAtLeast(required, "files");
  return home === "private" && isKnown(agent) && canIsolate("files");
}

const REPLACED = "The agent removed or replaced its workspace.";

/** Undefined, or why the agent cannot start: never the agent's own failure. */
async function prepare({ spec, agent, template, folders, signal, layer }: Trial): Promise<string | undefined> {
  const { home } = spec;
  const { setup } = spec.case;
  try {
    if (layer === undefined) await template.fill(folders.workspace, signal);
    if (home === "private") copyCredentials(agent, homedir(), folders.home);
    if (setup === undefined) return undefined;
    const env = graderEnvironment(variablesOf(home, folders));
    const end = await runProgram({ binary: "/bin/sh", args: ["-c", setup], cwd: folders.workspace, env, timeoutMs: SETUP_MS, signal });
    if (end.exitCode === 0) return undefined;
    return `the setup ${end.isTimedOut ? "timed out" : `ended with code ${end.exitCode}`}: ${end.stderr.trim().slice(-500)}`;
  } catch (error) {
    if (error instanceof HarnessError && error.code === "input") throw error; // what all trials start with is gone
    return `the workspace could not be prepared: ${errorWords(error)}`;
  }
}

function variablesOf(home: TrialSpec["home"], folders: TrialFolders): Readonly<Record<string, string>> {
  return home === "private" ? folders.variables : { TMPDIR: folders.tmp };
}

/** One run per turn, each resuming the conversation of the last. Stops after the first turn that does not end well. */
async function runTurns(trial: Trial): Promise<Turn[]> {
  const turns: Turn[] = [];
  for (const prompt of turnsOf(trial.spec.case)) {
    const turn = await runTurn(trial, prompt, turns.at(-1));
    turns.push(turn);
    if (turn.seal?.status !== "completed" || trial.signal.aborted) break;
  }
  return turns;
}

async function runTurn(trial: Trial, prompt: string, before: Turn | undefined): Promise<Turn> {
  const { spec, agent, place, folders, signal, settings } = trial;
  const { label, configuration } = spec.entrant;
  const { id, metadata } = spec.case; // the rest would lie next to the agent's output while it works
  const options = {
    ...settings,
    agent,
    prompt,
    cwd: folders.workspace,
    env: { ...variablesOf(spec.home, folders), ...settings.env },
    ...(spec.timeoutMs === undefined ? {} : { timeoutMs: spec.timeoutMs }),
    ...(trial.layer !== undefined && settings.isolate === undefined && { requireIsolation: settings.requireIsolation ?? "files" }),
    dataDirectory: place.data.root,
    sign: place.sign,
    evaluated: { id, metadata, trial: spec.trialNum, agent: label, evaluation: spec.evaluation, configuration },
    signal,
  };
  let record: CourseRecord | undefined;
  let run: { id: string; directory: string } = { id: "", directory: "" };
  const notes: string[] = [];
  try {
    const earlier = before === undefined ? undefined : await earlierRun(before.directory);
    const plan = planRun(options, earlier, undefined, wallsOfTrial(spec.home));
    const settle = async (fact: RecordFact) => void notes.push(...(await settled(trial, fact)));
    const keep = async () => void notes.push(...(await kept(trial, join(place.data.runs, plan.id))));
    const live = await startRun(plan, options, courseView(plan.agent.plain === true && plan.like === undefined), {}, { settle, keep });
    run = live;
    for await (const batch of live.batches()) record = batch.at(-1) ?? record;
    return { ...run, seal: await live.sealed, record, notes, isolation: plan.isolation?.evidence() };
  } catch (error) {
    return { ...run, seal: run.id !== "" && isEvidenceLost(error) ? LOST : undefined, record, problem: errorWords(error), notes };
  }
}

/** Ends what the agent left in its folders, and records whether its workspace is still there. Returns what a reader should know. */
async function settled({ folders }: Trial, record: RecordFact): Promise<readonly string[]> {
  const left = existsSync(folders.root) ? await endProcessesIn(realpathSync(folders.root)) : [];
  if (!folders.hasWorkspace()) record({ type: "error", code: "evidence-lost", message: REPLACED });
  return left.length === 0 ? [] : [`the agent left processes in its folders, which were ended: ${left.join(", ")}`];
}

/** Keeps the state of the workspace. Returns what a reader of the result should know. */
async function kept({ template, place, folders }: Trial, directory: string): Promise<readonly string[]> {
  try {
    if (folders.hasWorkspace()) await keepState(directory, folders.workspace, await template.before(), place.objects);
    return [];
  } catch (error) {
    return [`the state of the workspace could not be kept: ${errorWords(error)}`];
  }
}

/** The agent deleted files of its run. Nothing that lies there now is proof of anything else. */
const LOST: Ending = { status: "failed", reason: "evidence-lost", usage: noTokens, costUsd: null };

function mergedOf({ case: { id, input, expected } }: TrialSpec, turns: readonly Turn[]): Capture {
  const records = turns.flatMap(({ record }) => withoutCourse(record) ?? []);
  const now = Date.now();
  const empty = { id, input, output: "", trajectory: [], metadata: {}, timing: { start: now, end: now }, toolErrors: false };
  return { ...(mergeTurns(records, id) ?? empty), ...(expected === undefined ? {} : { expected }) };
}

/** The record as specification 004 has it. */
function withoutCourse(record: CourseRecord | undefined): Capture | undefined {
  if (record === undefined) return undefined;
  const { course: _, ...rest } = record;
  return rest;
}

async function resultOf(
  { evaluation, entrant, case: row, caseHash, inputs, shard, seed, grader }: TrialSpec,
  turns: readonly Turn[],
  { errors = [], ...record }: Capture,
  graderVersion: string | undefined,
): Promise<CaptureResult> {
  const { status = null, reason = null } = turns.at(-1)?.seal ?? {};
  const [walls] = turns.flatMap(({ isolation }) => isolation ?? []).sort((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level));
  const { usage, costUsd, partialUsage, partialCost } = sumUsed(turns.flatMap(({ seal }) => seal ?? []));
  const course = mergeCourses(turns.flatMap(({ record: each }) => each?.course ?? []));
  const computedCost = await computedCostOf(
    { usage, cost: costUsd },
    course?.answeredBy ?? entrant.settings.model ?? null,
    record.timing.start,
  );
  return {
    ...record,
    input: row.input,
    metadata: { ...row.metadata, agent: (entrant.label === entrant.agent ? record.metadata["agent"] : undefined) ?? entrant.label },
    ...(errors.length === 0 ? {} : { errors }),
    ...(evaluation === undefined ? {} : { evaluation }),
    agent: entrant.label,
    ...(entrant.settings.model === undefined ? {} : { model: entrant.settings.model }),
    ...(entrant.version !== undefined && { version: entrant.version }),
    ...(entrant.settings.effort !== undefined && { effort: entrant.settings.effort }),
    ...(seed !== undefined && { seed }),
    ...(grader !== undefined && graderVersion !== undefined && { grader: { graders: grader.graders, version: graderVersion } }),
    machine,
    configuration: entrant.configuration,
    caseHash,
    ...(inputs && { inputs }),
    ...(shard !== undefined && { shard }),
    runs: turns.flatMap(({ id }) => (id === "" ? [] : [id])),
    status,
    reason,
    usage,
    cost: costUsd,
    ...(partialUsage && { partialUsage }),
    ...(partialCost && { partialCost }),
    ...(computedCost && { computedCost }),
    ...course,
    ...(walls && { isolation: wallFactsOf(walls) }),
  };
}
