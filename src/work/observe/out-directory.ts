import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { makeDirectories, reasonOf } from "../../host/files/index.ts";
import { SCRATCH } from "../../host/recording/index.ts";
import { removeTree } from "../../host/workspace/index.ts";
import { HarnessError } from "../../pure/base/index.ts";

/** The directory of an observation, as specification 003 names what is in it. */
export interface OutDirectory {
  readonly path: string;
  /** Where that was when it was made, by no link. */
  readonly place: string;
  readonly workspace: string;
  readonly artifacts: string;
  readonly metadata: string;
  /** For what the agent's commands are watched with, while it runs. */
  readonly commands: string;
}

/** The decision events of an observation. */
export function decisionPath(out: string): string {
  return join(out, DECISIONS);
}

export const DECISIONS = "events.jsonl";

/** Creates it, private and empty. One that has something in it is refused. */
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
      throw new HarnessError("usage", `${path} is not empty: an observation is never written over.`, { option: "out" });
    for (const made of [out.workspace, out.commands]) mkdirSync(made, { mode: 0o700 });
  } catch (error) {
    if (error instanceof HarnessError) throw error;
    throw new HarnessError("output", `Cannot create ${path}: ${reasonOf(error)}.`, { cause: error, option: "out" });
  }
  return { ...out, place: realpathSync(path) };
}

/** What the agent has locked us out of, and is ours, is opened again. Answers with the permissions that it had, if it was locked. */
export function unlock(directory: string): string | undefined {
  try {
    const { mode } = lstatSync(directory);
    if ((mode & 0o700) === 0o700) return undefined;
    chmodSync(directory, (mode & 0o777) | 0o700);
    return `0${(mode & 0o777).toString(8).padStart(3, "0")}`;
  } catch {
    return undefined; // whoever needs it says so
  }
}

/** Refuses to go on where the agent has put something else in the directory's place: it would be written into, and removed from. */
export function checkPlace({ path, place }: OutDirectory): void {
  if (realpathSync(path) !== place) throw new HarnessError("output", `${path} leads to another directory now.`);
}

/** Nothing has happened in it. */
export async function removeOut({ path }: OutDirectory): Promise<void> {
  await removeTree(path).catch(() => {});
}

/**
 * What must not be copied with a directory that the observation is itself in: it, and the others beside it, each of which holds a copy
 * of that directory again.
 */
export function ignoredIn(source: string, out: string): readonly string[] {
  if (!existsSync(source)) return []; // whoever copies it says so
  const root = realpathSync(source); // either may be reached by a link
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

/** A new directory in place of whatever the agent has put there. */
export async function emptyPrivate(path: string): Promise<void> {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) await removeTree(path);
  mkdirSync(path, { mode: 0o700 });
  chmodSync(path, 0o700);
}
