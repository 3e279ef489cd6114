import { homedir } from "node:os";
import { copyCredentials, runProgram } from "../../../host/process/index.ts";
import { earlierRun, planRun, type Seal, startRun } from "../../../host/recording/index.ts";
import { copyTree } from "../../../host/workspace/index.ts";
import { errorWords } from "../../../pure/base/index.ts";
import { addTokens, noTokens, type RunStatus, type Tokens } from "../../../pure/events/index.ts";
import { type Capture, capture } from "../../../pure/views/index.ts";
import { turnsOf } from "../cases/index.ts";
import { graderEnvironment } from "../graders/index.ts";
import type { Attempt } from "../scheduling/index.ts";
import { type CaptureLine, isGraded, isLost, type LostAttempt, makeTrialFolders, type Trial, type TrialFolders } from "../trial/index.ts";
import { keepState } from "./keep-state.ts";
import { mergeTurns } from "./merge-turns.ts";
import type { Attempt } from "../scheduling/index.ts";

/** An attempt at a trial, and the line that it would give. */
export interface TrialAttempt extends Attempt {
  readonly line: CaptureLine;
}

const SETUP_MS = 10 * 60_000;

/** Prepares, runs and grades one attempt, in folders of its own. The agent's process tree is dead before the grader starts. */
export async function runTrial(trial: Trial, lost: readonly LostAttempt[], signal: AbortSignal): Promise<TrialAttempt> {
  const folders = makeTrialFolders(trial.data);
  try {
    const unready = await prepare(trial, folders, signal);
    const turns = unready === undefined ? await runTurns(trial, folders, signal) : [];
    return await attemptOf(trial, folders, turns, unready, lost, signal);
  } finally {
    await folders.remove();
  }
}

interface Turn {
  readonly id: string;
  readonly directory: string;
  readonly seal: Seal | undefined;
  readonly record: Capture | undefined;
  readonly problem?: string;
}

/** Undefined, or why the agent cannot even be asked: never its own failure. */
async function prepare({ row, template, entrant, home }: Trial, folders: TrialFolders, signal: AbortSignal): Promise<string | undefined> {
  try {
    if (template.path !== undefined) await copyTree(template.path, folders.workspace, { signal });
    if (home === "private") copyCredentials(entrant.agent, homedir(), folders.home);
    if (row.setup === undefined) return undefined;
    const env = graderEnvironment(home === "private" ? folders.variables : { TMPDIR: folders.tmp });
    const end = await runProgram({ binary: "/bin/sh", args: ["-c", row.setup], cwd: folders.workspace, env, timeoutMs: SETUP_MS, signal });
    if (end.exitCode === 0) return undefined;
    return `the setup ended with ${end.isTimedOut ? "its time over" : `code ${end.exitCode}`}: ${end.stderr.trim().slice(-500)}`;
  } catch (error) {
    return `the workspace could not be prepared: ${errorWords(error)}`;
  }
}

/** One run per turn, each continuing the conversation of the one before; what does not end well ends it. */
async function runTurns(trial: Trial, folders: TrialFolders, signal: AbortSignal): Promise<Turn[]> {
  const turns: Turn[] = [];
  for (const prompt of turnsOf(trial.row)) {
    const turn = await runTurn(trial, folders, prompt, turns.at(-1), signal);
    turns.push(turn);
    if (turn.seal?.status !== "completed" || signal.aborted) break;
  }
  return turns;
}

async function runTurn(trial: Trial, folders: TrialFolders, prompt: string, before: Turn | undefined, signal: AbortSignal): Promise<Turn> {
  const { row, entrant, home, data } = trial;
  const options = {
    ...entrant.options,
    agent: entrant.agent,
    prompt,
    cwd: folders.workspace,
    env: { ...(home === "private" ? folders.variables : { TMPDIR: folders.tmp }), ...entrant.options.env },
    ...((row.timeoutMs ?? trial.timeoutMs) === undefined ? {} : { timeoutMs: row.timeoutMs ?? trial.timeoutMs }),
    dataDirectory: data.root,
    evaluated: { id: row.id, expected: row.expected, metadata: row.metadata, trial: trial.trialNum },
    signal,
  };
  let record: Capture | undefined;
  let run: { id: string; directory: string } = { id: "", directory: "" };
  try {
    const earlier = before === undefined ? undefined : await earlierRun(before.directory);
    const live = await startRun(planRun(options, earlier), options, capture);
    run = live;
    for await (const batch of live.batches()) record = batch.at(-1) ?? record;
    return { ...run, seal: await live.sealed, record };
  } catch (error) {
    return { ...run, seal: undefined, record, problem: errorWords(error) };
  }
}

async function attemptOf(
  trial: Trial,
  folders: TrialFolders,
  turns: readonly Turn[],
  unready: string | undefined,
  lost: readonly LostAttempt[],
  signal: AbortSignal,
): Promise<TrialAttempt> {
  const { row, entrant, grader } = trial;
  const last = turns.at(-1);
  const status: RunStatus | null = last?.seal?.status ?? null;
  const merged = mergeTurns(
    turns.flatMap(({ record }) => record ?? []),
    row.id,
  );
  const problems = [unready, last?.problem].filter((problem) => problem !== undefined);
  const isReplaced = !folders.hasWorkspace();
  const state = isReplaced ? REPLACED : last === undefined || last.id === "" ? undefined : await kept(trial, folders, last.directory);
  if (state !== undefined) problems.push(state);
  const errors = [...(merged?.errors ?? []), ...problems];
  const base = merged ?? empty(trial);
  const graded =
    grader === undefined || isLost(status)
      ? undefined
      : isReplaced && grader.needsWorkspace
        ? { error: REPLACED }
        : await grader.grade({ ...base, cwd: folders.workspace, run: last?.id, hint: row.expected }, signal);
  const costs = turns.flatMap(({ seal }) => seal?.costUsd ?? []);
  const { errors: _, ...rest } = base;
  const line: CaptureLine = {
    ...rest,
    input: row.input,
    metadata: { ...row.metadata, agent: entrant.label },
    ...(errors.length === 0 ? {} : { errors }),
    ...(graded !== undefined && isGraded(graded) ? { score: graded.grade } : {}),
    agent: entrant.label,
    ...(entrant.options.model === undefined ? {} : { model: entrant.options.model }),
    configuration: entrant.configuration,
    caseHash: trial.caseHash,
    runs: turns.flatMap(({ id }) => (id === "" ? [] : [id])),
    status,
    usage: turns.reduce<Tokens>((sum, { seal }) => (seal === undefined ? sum : addTokens(sum, seal.usage)), noTokens),
    cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    ...(graded !== undefined && !isGraded(graded) ? { gradeError: graded.error } : {}),
    ...(lost.length === 0 ? {} : { lost }),
  };
  const isInfrastructure = status === "infrastructure" || status === null || status === "crashed";
  return { line, isInfrastructure, isRateLimited: isInfrastructure && errors.some((words) => RATE_LIMIT.test(words)), costUsd: line.cost };
}

const REPLACED = "the agent has removed its workspace, or put something else in its place";

const RATE_LIMIT = /\b429\b|rate.?limit|too many requests|overloaded/i;

/** Undefined, or why the state could not be kept. */
async function kept({ template, objects }: Trial, { workspace }: TrialFolders, directory: string): Promise<string | undefined> {
  try {
    await keepState(directory, workspace, template.before, objects);
    return undefined;
  } catch (error) {
    return `the state of the workspace could not be kept: ${errorWords(error)}`;
  }
}

function empty({ row }: Trial): Capture {
  const now = Date.now();
  return { id: row.id, input: row.input, output: "", trajectory: [], metadata: {}, timing: { start: now, end: now }, toolErrors: false };
}
