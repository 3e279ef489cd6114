import { existsSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { HarnessError } from "../core/errors.ts";
import { namedOrSuggest } from "../core/named.ts";
import type { DataDirectory } from "./data-directory.ts";
import { isRunId } from "./run-id.ts";
import { runPaths } from "./run-paths.ts";

/** The ids of all runs, newest first: they begin with the time of the start. */
export function runIds({ runs }: DataDirectory): readonly string[] {
  try {
    return readdirSync(runs).filter(isRunId).sort().reverse();
  } catch {
    return []; // nothing has been run yet
  }
}

/** A run's directory, by its id, the unique beginning or end of one, `last`, or the path of the directory itself. */
export function findRun(data: DataDirectory, name: string): string {
  const found = lookUp(data, name);
  if (found !== undefined) return found;
  const ids = runIds(data);
  if (ids.length === 0) throw new HarnessError("input", `There is no run called "${name}": nothing has been recorded in ${data.runs} yet.`);
  if (!isRunId(name)) throw new HarnessError("input", `"${name.slice(0, 60)}" is not the name of a run; see "harness sessions list".`);
  throw new HarnessError("input", `${namedOrSuggest("run", name, ids.slice(0, 3))} All of them: harness sessions list.`);
}

/** Undefined where there is none; a name that several have is an error. */
export function lookUp(data: DataDirectory, name: string): string | undefined {
  if (isRunDirectory(resolve(name))) return resolve(name);
  if (!isRunId(name)) return undefined;
  const ids = runIds(data);
  if (name === "last") return ids[0] === undefined ? undefined : join(data.runs, ids[0]);
  if (ids.includes(name)) return join(data.runs, name);
  const alike = ids.filter((id) => id.startsWith(name) || id.endsWith(name));
  if (alike.length > 1) {
    const some = alike.slice(0, 5).join(", ");
    throw new HarnessError(
      "usage",
      `"${name}" could be any of ${alike.length} runs (${some}${alike.length > 5 ? ", …" : ""}); give more of the id.`,
    );
  }
  return alike[0] === undefined ? undefined : join(data.runs, alike[0]);
}

export function isRunDirectory(path: string): boolean {
  return existsSync(runPaths(path).manifest);
}

/** Where the session log of a run is: beside the folder its directory is in. */
export function dataOfRun(directory: string): { readonly sessions: string; readonly id: string } {
  return { sessions: resolve(directory, "..", "..", "sessions"), id: basename(directory) };
}
