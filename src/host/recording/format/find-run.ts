import { existsSync, lstatSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { HarnessError, namedOrSuggest } from "../../../pure/base/index.ts";
import type { DataDirectory } from "./data-directory.ts";
import { readManifest } from "./read-manifest.ts";
import { isRunId } from "./run-id.ts";
import { runPaths } from "./run-paths.ts";

/** The ids of all runs, newest first: they begin with the time of the start. What died before it could become a run is none. */
export function runIds({ runs }: DataDirectory): readonly string[] {
  let names: readonly string[];
  try {
    names = readdirSync(runs);
  } catch {
    return []; // nothing has been run yet
  }
  return newestFirst(
    names.filter((name) => isRunId(name) && hasBegun(join(runs, name))),
    (id) => runPaths(join(runs, id)).manifest,
  );
}

/** An id tells the second; of those that began in the same one, their descriptions tell more. */
function newestFirst(ids: readonly string[], manifestOf: (id: string) => string): readonly string[] {
  const starts = new Map<string, number>();
  const startOf = (id: string) => {
    const known = starts.get(id) ?? startedAt(manifestOf(id));
    starts.set(id, known);
    return known;
  };
  const second = (id: string) => id.slice(0, SECOND);
  return [...ids].sort((a, b) => {
    if (second(a) !== second(b)) return second(a) < second(b) ? 1 : -1;
    return startOf(b) - startOf(a) || (a < b ? 1 : -1);
  });
}

/** `20261115-072930` */
const SECOND = 15;

function startedAt(manifest: string): number {
  try {
    return readManifest(manifest).startedAt;
  } catch {
    return 0; // damaged
  }
}

/** The ids of all runs, listed when they are first asked for, and once. */
function idsOf(data: DataDirectory): () => readonly string[] {
  let ids: readonly string[] | undefined;
  return () => {
    ids ??= runIds(data);
    return ids;
  };
}

/** A run's directory, by its id, the unique beginning or end of one, `last`, or the path of the directory itself. */
export function findRun(data: DataDirectory, name: string, ids = idsOf(data)): string {
  const found = lookUp(data, name, ids);
  if (found !== undefined) return found;
  const known = ids();
  if (known.length === 0)
    throw new HarnessError("input", `There is no run called "${name}": nothing has been recorded in ${data.runs} yet.`);
  if (!isRunId(name)) throw new HarnessError("input", `"${name.slice(0, 60)}" is not the name of a run.`, { option: "run" });
  throw new HarnessError("input", namedOrSuggest("run", name, known.slice(0, 3)), { option: "run" });
}

/** The same, for what may be deleted: only a run of ours, where we keep them. */
export function findOwnRun(data: DataDirectory, name: string, ids = idsOf(data)): string {
  const directory = findRun(data, name, ids);
  const isOurs = dirname(directory) === resolve(data.runs) && isRunId(basename(directory)) && lstatSync(directory).isDirectory();
  if (isOurs) return directory;
  throw new HarnessError("input", `${directory} is not in ${data.runs}, where runs are kept; delete it yourself if you want to.`);
}

/** Several of them, each once. */
export function findOwnRuns(data: DataDirectory, names: readonly string[]): readonly string[] {
  const ids = idsOf(data);
  return [...new Set(names.map((name) => findOwnRun(data, name, ids)))];
}

/** Undefined where there is none; a name that several have is an error. A whole id is found without a look at the others. */
export function lookUp(data: DataDirectory, name: string, ids = idsOf(data)): string | undefined {
  if (/[/\\]/.test(name) || !isRunId(name)) return isRunDirectory(name) ? resolve(name) : undefined;
  if (name === "last") {
    const [last] = ids();
    if (last !== undefined) return join(data.runs, last);
  }
  if (hasBegun(join(data.runs, name))) return join(data.runs, name);
  const alike = ids().filter((id) => id.startsWith(name) || id.endsWith(name));
  if (alike.length > 1) {
    const some = alike.slice(0, 5).join(", ");
    throw new HarnessError(
      "usage",
      `"${name}" could be any of ${alike.length} runs (${some}${alike.length > 5 ? ", …" : ""}); give more of the id.`,
    );
  }
  if (alike[0] !== undefined) return join(data.runs, alike[0]);
  return isRunDirectory(name) ? resolve(name) : undefined;
}

export function isRunDirectory(path: string): boolean {
  try {
    return path !== "" && statSync(path).isDirectory() && lstatSync(runPaths(path).manifest).isFile();
  } catch {
    return false; // there is none, or none that we may look into
  }
}

/** Where the session log of a run is: beside the folder its directory is in. */
export function dataOfRun(directory: string): { readonly sessions: string; readonly id: string } {
  const path = resolve(directory);
  return { sessions: resolve(path, "..", "..", "sessions"), id: basename(path) };
}

/** A recorder that is killed before it has written down what it will run leaves a directory in which nothing has happened. */
function hasBegun(directory: string): boolean {
  const { manifest, stdout } = runPaths(directory);
  if (existsSync(manifest)) return true;
  const output = lstatSync(stdout, { throwIfNoEntry: false });
  return output !== undefined && output.size > 0;
}
