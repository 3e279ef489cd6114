import { existsSync, lstatSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { HarnessError, namedOrSuggest } from "../../../pure/base/index.ts";
import type { DataDirectory } from "./data-directory.ts";
import { readManifest } from "./read-manifest.ts";
import { isRunId } from "./run-id.ts";
import { readOrder } from "./run-order.ts";
import { runPaths } from "./run-paths.ts";

/** The ids of all runs, the last created first. A start that never became a run is not listed. */
export function runIds(data: DataDirectory): readonly string[] {
  const { runs } = data;
  let names: readonly string[];
  try {
    names = readdirSync(runs);
  } catch {
    return []; // nothing has been run yet
  }
  return newestFirst(
    names.filter((name) => isRunId(name) && hasBegun(join(runs, name))),
    (id) => runPaths(join(runs, id)).manifest,
    readOrder(data),
  );
}

/**
 * The order of creation counts, because the clock may have jumped. Runs without a place in it are older; an id holds their start to the
 * second, and run.json orders those within one second.
 */
function newestFirst(ids: readonly string[], manifestOf: (id: string) => string, order: ReadonlyMap<string, number>): readonly string[] {
  const starts = new Map<string, number>();
  const startOf = (id: string) => {
    const known = starts.get(id) ?? startedAt(manifestOf(id));
    starts.set(id, known);
    return known;
  };
  const second = (id: string) => id.slice(0, SECOND);
  return [...ids].sort((a, b) => {
    const places = (order.get(b) ?? -1) - (order.get(a) ?? -1);
    if (places !== 0) return places;
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

/** The ids of all runs, listed once, on the first call. */
function idsOf(data: DataDirectory): () => readonly string[] {
  let ids: readonly string[] | undefined;
  return () => {
    ids ??= runIds(data);
    return ids;
  };
}

/** A run's directory, by its id, a unique prefix or suffix of it, `last`, or the path of the directory. */
export function findRun(data: DataDirectory, name: string, ids = idsOf(data)): string {
  const found = lookUp(data, name, ids);
  if (found !== undefined) return found;
  const known = ids();
  if (known.length === 0) throw new HarnessError("input", `Run not found: "${name}". Nothing has been recorded in ${data.runs} yet.`);
  if (!isRunId(name))
    throw new HarnessError("input", `Run not found: "${name.slice(0, 60)}" is neither a run id nor the directory of a run.`, {
      option: "run",
    });
  throw new HarnessError("input", namedOrSuggest("run", name, known.slice(0, 3)), { option: "run" });
}

/** Like `findRun`, for runs to delete: only a run in our own directory. */
export function findOwnRun(data: DataDirectory, name: string, ids = idsOf(data)): string {
  const directory = findRun(data, name, ids);
  const isOurs = dirname(directory) === resolve(data.runs) && isRunId(basename(directory)) && lstatSync(directory).isDirectory();
  if (isOurs) return directory;
  throw new HarnessError("input", `${directory} is not in ${data.runs}, so it is not deleted. Delete it yourself if you want to.`);
}

/** Several runs, without duplicates. */
export function findOwnRuns(data: DataDirectory, names: readonly string[]): readonly string[] {
  const ids = idsOf(data);
  return [...new Set(names.map((name) => findOwnRun(data, name, ids)))];
}

/** Undefined if there is none; an ambiguous name throws. A complete id is found without listing the others. */
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
      `"${name}" matches ${alike.length} runs (${some}${alike.length > 5 ? ", …" : ""}). Use more of the id.`,
    );
  }
  if (alike[0] !== undefined) return join(data.runs, alike[0]);
  return isRunDirectory(name) ? resolve(name) : undefined;
}

export function isRunDirectory(path: string): boolean {
  try {
    return path !== "" && statSync(path).isDirectory() && lstatSync(runPaths(path).manifest).isFile();
  } catch {
    return false; // missing, or not accessible
  }
}

/** The session logs are next to the folder of the run's directory. */
export function dataOfRun(directory: string): { readonly sessions: string; readonly id: string } {
  const path = resolve(directory);
  return { sessions: resolve(path, "..", "..", "sessions"), id: basename(path) };
}

/** A recorder that is killed before it has written run.json leaves a directory in which nothing has happened. */
function hasBegun(directory: string): boolean {
  const { manifest, stdout } = runPaths(directory);
  if (existsSync(manifest)) return true;
  const output = lstatSync(stdout, { throwIfNoEntry: false });
  return output !== undefined && output.size > 0;
}
