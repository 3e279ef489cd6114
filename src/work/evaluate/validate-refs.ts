import { cpSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { runProgram } from "../../host/process/index.ts";
import type { DataDirectory } from "../../host/recording/index.ts";
import { copyTree } from "../../host/workspace/index.ts";
import type { Case, CaseFile } from "./cases/index.ts";
import { graderEnvironment } from "./graders/index.ts";
import type { Templates } from "./running/index.ts";
import { type Graded, type Grader, isGraded, makeTrialFolders } from "./trial/index.ts";

/** What a grader says to a solution that is known to be right. */
export interface ReferenceCheck {
  readonly id: string;
  readonly pass: boolean;
  readonly score?: number;
  readonly reasoning?: string;
  readonly error?: string;
}

/**
 * A reference is the text of a right answer; `files:<directory>`, the files that a right agent would leave; or `command:<shell
 * command>`, which does its work in the workspace. If the grader does not pass it, the grader or the case is wrong.
 */
export async function checkReference(
  row: Case,
  { grader, templates, data, file, workspace, signal }: ReferenceOptions,
): Promise<ReferenceCheck | undefined> {
  const { reference } = row;
  if (reference === undefined) return undefined;
  const folders = makeTrialFolders(data);
  try {
    const template = await templates.prepare(row.workspace ?? workspace);
    if (template.path !== undefined) await copyTree(template.path, folders.workspace);
    const failed = await apply(row.setup === undefined ? undefined : `command:${row.setup}`, folders.workspace, file.path, signal);
    const unapplied = failed ?? (await apply(reference, folders.workspace, file.path, signal));
    if (unapplied !== undefined) return { id: row.id, pass: false, error: unapplied };
    const output = isAction(reference) ? "" : reference;
    return checked(row.id, await grader.grade({ ...row, output, hint: row.expected, trajectory: [], cwd: folders.workspace }, signal));
  } finally {
    await folders.remove();
  }
}

export interface ReferenceOptions {
  readonly grader: Grader;
  readonly templates: Templates;
  readonly data: DataDirectory;
  readonly file: CaseFile;
  readonly workspace: string | undefined;
  readonly signal: AbortSignal;
}

const MINUTES = 10 * 60_000;

/** Undefined, or why it could not be done. */
async function apply(action: string | undefined, cwd: string, dataset: string, signal: AbortSignal): Promise<string | undefined> {
  if (action?.startsWith("command:")) {
    const end = await runProgram({
      binary: "/bin/sh",
      args: ["-c", action.slice(8)],
      cwd,
      env: graderEnvironment({}),
      timeoutMs: MINUTES,
      signal,
    });
    return end.exitCode === 0 ? undefined : `${action.slice(8)} ended with code ${end.exitCode}: ${end.stderr.trim().slice(-500)}`;
  }
  if (!action?.startsWith("files:")) return undefined;
  const from = resolve(dirname(dataset), action.slice(6));
  if (!statSync(from, { throwIfNoEntry: false })?.isDirectory()) return `${from} is no directory`;
  cpSync(from, cwd, { recursive: true, force: true, verbatimSymlinks: true });
  return undefined;
}

function isAction(reference: string): boolean {
  return reference.startsWith("command:") || reference.startsWith("files:");
}

function checked(id: string, graded: Graded): ReferenceCheck {
  return isGraded(graded) ? { id, ...graded.grade } : { id, pass: false, error: graded.error };
}
