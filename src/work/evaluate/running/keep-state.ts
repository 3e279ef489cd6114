import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { runPaths } from "../../../host/recording/index.ts";
import { compare, type Manifest, type Objects, openManifest, patch, snapshot } from "../../../host/workspace/index.ts";

/** A run's paths for the state of its workspace before and after. */
export function statePaths(directory: string): { folder: string; before: string; after: string; patch: string } {
  const folder = join(runPaths(directory).artifacts, "workspace");
  return { folder, before: join(folder, "before.jsonl"), after: join(folder, "after.jsonl"), patch: join(folder, "diff.patch") };
}

/** Stores the state before and after, and the difference, with the run, so that later grading finds the workspace as the agent left it. */
export async function keepState(directory: string, workspace: string, before: Manifest, objects: Objects): Promise<void> {
  const paths = statePaths(directory);
  mkdirSync(paths.folder, { recursive: true, mode: 0o700 });
  copyFileSync(before.path, paths.before);
  const after = await snapshot(workspace, { to: paths.after, keep: objects });
  await patch(compare(openManifest(paths.before), after, { objects }), objects, { to: paths.patch });
}
