import { existsSync } from "node:fs";
import { type DataDirectory, findOwnRun } from "../../../host/recording/index.ts";
import { type Objects, openManifest, rebuild } from "../../../host/workspace/index.ts";
import { statePaths } from "./keep-state.ts";

/** Writes the workspace as a run left it into an empty directory; false if the run kept none or is gone. */
export async function rebuildState(data: DataDirectory, objects: Objects, run: string, into: string): Promise<boolean> {
  const directory = runDirectory(data, run);
  if (directory === undefined || !existsSync(statePaths(directory).after)) return false;
  await rebuild(openManifest(statePaths(directory).after), objects, into);
  return true;
}

function runDirectory(data: DataDirectory, run: string): string | undefined {
  try {
    return findOwnRun(data, run);
  } catch {
    return undefined; // removed since
  }
}
