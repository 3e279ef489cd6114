import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type DataDirectory, digestOf, findOwnRun, holds, readManifest, runPaths } from "../../../host/recording/index.ts";
import { NOT_KEPT, type Objects, openManifest, rebuild } from "../../../host/workspace/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import { statePaths } from "./keep-state.ts";

/** `missing`: it was not kept, or not whole. `masked`: without the secrets that were in it, it would not be what the agent left. */
type Rebuilding = "done" | "missing" | "masked";

/** Writes the workspace as a run left it into an empty directory. Throws if what was kept was changed since. */
export async function rebuildState(data: DataDirectory, objects: Objects, run: string, into: string): Promise<Rebuilding> {
  const directory = runDirectory(data, run);
  if (directory === undefined) return "missing";
  checkState(directory, run);
  if (existsSync(statePaths(directory).masked)) return "masked";
  if (!existsSync(statePaths(directory).after)) return "missing";
  const { notMade } = await rebuild(openManifest(statePaths(directory).after), objects, into);
  return notMade.some(({ reason }) => reason === NOT_KEPT) ? "missing" : "done";
}

/** What a run changed in its workspace, as a patch; empty if it kept none or is gone. */
export function patchOfRun(data: DataDirectory, run: string): string {
  const directory = runDirectory(data, run);
  if (directory === undefined) return "";
  checkState(directory, run);
  const { patch } = statePaths(directory);
  return existsSync(patch) ? readFileSync(patch, "utf8") : "";
}

/** Runs by earlier versions have no seal of the state, only of the rest. */
function checkState(directory: string, run: string): void {
  const manifest = readManifest(runPaths(directory).manifest);
  const kept = Object.entries(manifest.sealed?.files ?? {}).filter(([file]) => file.startsWith("artifacts/workspace/"));
  const changed =
    manifest.sealed !== undefined && manifest.digest !== digestOf(manifest)
      ? "run.json"
      : kept.find(([file, { sha256 }]) => !holds(join(directory, file), sha256))?.[0];
  if (changed === undefined) return;
  throw new HarnessError("input", `The run ${run} was changed after it was recorded: ${changed} is not what was sealed. Repeat its case.`);
}

function runDirectory(data: DataDirectory, run: string): string | undefined {
  try {
    return findOwnRun(data, run);
  } catch {
    return undefined; // removed since, or recorded on a different machine
  }
}
