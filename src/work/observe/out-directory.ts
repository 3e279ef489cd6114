import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { makeDirectories, reasonOf } from "../../host/files/index.ts";
import { SCRATCH } from "../../host/recording/index.ts";
import { removeTree } from "../../host/workspace/index.ts";
import { HarnessError } from "../../pure/base/index.ts";

/** The directory of an observation, with the file names of specification 003. */
export interface OutDirectory {
  readonly path: string;
  /** Its real path when it was created. */
  readonly place: string;
  readonly workspace: string;
  readonly artifacts: string;
  readonly metadata: string;
  /** For watching the agent's commands while it runs. */
  readonly commands: string;
}

export function decisionPath(out: string): string {
  return join(out, DECISIONS);
}

export const DECISIONS = "events.jsonl";

/** The policy by which the run was judged, if it is data. */
export const POLICY_FILE = "artifacts/policy.yaml";

/** Creates it, private and empty. Throws if it already contains something. */
export function createOut(path: string): OutDirectory {
  const out = {
    path,
    place: path,
    workspace: join(path, "workspace"),
    artifacts: join(path, "artifacts"),
    metadata: join(path, "metadata.json"),
    commands: join(path, SCRATCH),
  };
  try {
    makeDirectories(path, 0o700);
    if (readdirSync(path).length > 0)
      throw new HarnessError("usage", `${path} is not empty, and an observation is never overwritten.`, { option: "out" });
    for (const made of [out.workspace, out.commands]) mkdirSync(made, { mode: 0o700 });
  } catch (error) {
    if (error instanceof HarnessError) throw error;
    throw new HarnessError("output", `Cannot create ${path}: ${reasonOf(error)}.`, { cause: error, option: "out" });
  }
  return { ...out, place: realpathSync(path) };
}

/** Restores the permissions of a directory that the agent has locked. Returns its old permissions if it was locked. */
export function unlock(directory: string): string | undefined {
  try {
    const { mode } = lstatSync(directory);
    if ((mode & 0o700) === 0o700) return undefined;
    chmodSync(directory, (mode & 0o777) | 0o700);
    return `0${(mode & 0o777).toString(8).padStart(3, "0")}`;
  } catch {
    return undefined; // a later use reports it
  }
}

/** Throws if the agent has replaced the directory: we would write into a foreign one, or remove files from it. */
export function checkPlace({ path, place }: OutDirectory): void {
  if (realpathSync(path) !== place) throw new HarnessError("output", `${path} now leads to a different directory.`);
}

/** Removes the directory of an observation that did not start. */
export async function removeOut({ path }: OutDirectory): Promise<void> {
  await removeTree(path).catch(() => {});
}

/**
 * What to skip when we copy a directory that contains this observation: the observation itself, and its neighbours, each of which contains
 * a copy of that directory again.
 */
export function ignoredIn(source: string, out: string): readonly string[] {
  if (!existsSync(source)) return []; // the copy reports it
  const root = realpathSync(source); // both paths may contain links
  const parent = realpathSync(dirname(out));
  const inside = relative(root, parent);
  if (inside === ".." || inside.startsWith(`..${sep}`)) return [];
  const siblings = readdirSync(parent).filter(
    (name) => existsSync(join(parent, name, "metadata.json")) && isDirectory(join(parent, name, "workspace")),
  );
  return [...new Set([...siblings, basename(out)])]
    .map((name) => join(parent, name))
    .map((path) => relative(root, path).split(sep).join("/"));
}

function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Creates a new directory in place of whatever the agent put there. */
export async function emptyPrivate(path: string): Promise<void> {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) await removeTree(path);
  mkdirSync(path, { mode: 0o700 });
  chmodSync(path, 0o700);
}
