import { cpSync, mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runProgram } from "../../host/process/index.ts";
import { type DataDirectory, dataOf } from "../../host/recording/index.ts";
import { copyTree, removeTree } from "../../host/workspace/index.ts";
import { sampleOf } from "../../pure/statistics/index.ts";
import { type Case, type CaseRow, type Cases, openCases, type Selection, selector, workspaceOf } from "./cases/index.ts";
import { type GraderOptions, graderEnvironment, graderOf } from "./graders/index.ts";
import { templateOf } from "./running/index.ts";
import { isGraded, makeTrialFolders, type PreparedGrader } from "./trial/index.ts";

/** A grader's verdict on a solution that is known to be right. */
export interface ReferenceCheck {
  readonly id: string;
  readonly pass: boolean;
  readonly score?: number;
  readonly reasoning?: string;
  readonly error?: string;
}

export interface ReferenceOptions extends GraderOptions, Selection {
  /** For cases without a workspace: a directory, relative to the data set, or a repository, `url@ref` or `path@ref`. */
  readonly workspace?: string;
  readonly dataDirectory?: string;
  readonly signal?: AbortSignal;
}

/**
 * Grades every case's reference, if it has one: the text of a right answer; `files:<directory>`, the files that a right agent would
 * leave; or `command:<shell command>`, which does the work in the workspace. If the grader fails it, the grader or the case is wrong.
 */
export async function* validateRefs(cases: string | readonly CaseRow[], options: ReferenceOptions): AsyncGenerator<ReferenceCheck, void> {
  const { workspace, signal = new AbortController().signal } = options;
  const grader = await graderOf(options, typeof cases === "string" ? [resolve(cases)] : []);
  const all = openCases(cases, selector(options));
  const data = dataOf(options);
  const templates = new Map<string, string>();
  const scratch = mkdtempSync(join(tmpdir(), "harness-references-"));

  async function templatePath(row: Case): Promise<string | undefined> {
    const name = workspaceOf(row.workspace ?? workspace, all);
    if (name !== undefined && !templates.has(name))
      templates.set(name, (await templateOf(name, data, join(scratch, String(templates.size)))).path);
    return templates.get(name ?? "");
  }

  try {
    for (const place of sampleOf(all.places, options.sample, options.seed ?? 1)) {
      if (signal.aborted) return;
      const row = all.read(place);
      if (row.reference !== undefined) yield await check(row, row.reference, await templatePath(row), { all, grader, data, signal });
    }
  } finally {
    await removeTree(scratch);
  }
}

interface Checking {
  readonly all: Cases;
  readonly grader: PreparedGrader;
  readonly data: DataDirectory;
  readonly signal: AbortSignal;
}

async function check(
  row: Case,
  reference: string,
  template: string | undefined,
  { all, grader, data, signal }: Checking,
): Promise<ReferenceCheck> {
  const { id } = row;
  const folders = makeTrialFolders(data);
  try {
    if (template !== undefined) await copyTree(template, folders.workspace);
    for (const action of [...(row.setup === undefined ? [] : [`command:${row.setup}`]), reference]) {
      const error = await apply(action, folders.workspace, all.directory, signal);
      if (error !== undefined) return { id, pass: false, error };
    }
    const output = isAction(reference) ? "" : reference;
    const graded = await grader.grade({ ...row, output, hint: row.expected, trajectory: [], cwd: folders.workspace }, signal);
    return isGraded(graded) ? { id, ...graded.grade } : { id, pass: false, error: graded.error };
  } finally {
    await folders.remove();
  }
}

const MINUTES = 10 * 60_000;

/** Undefined, or why it failed. */
async function apply(action: string, cwd: string, directory: string, signal: AbortSignal): Promise<string | undefined> {
  if (action.startsWith("command:")) {
    const command = action.slice(8);
    const env = graderEnvironment({});
    const end = await runProgram({ binary: "/bin/sh", args: ["-c", command], cwd, env, timeoutMs: MINUTES, signal });
    return end.exitCode === 0 ? undefined : `${command} ended with code ${end.exitCode}: ${end.stderr.trim().slice(-500)}`;
  }
  if (!action.startsWith("files:")) return undefined;
  const from = resolve(directory, action.slice(6));
  if (!statSync(from, { throwIfNoEntry: false })?.isDirectory()) return `${from} is not a directory`;
  cpSync(from, cwd, { recursive: true, force: true, verbatimSymlinks: true });
  return undefined;
}

function isAction(reference: string): boolean {
  return reference.startsWith("command:") || reference.startsWith("files:");
}
