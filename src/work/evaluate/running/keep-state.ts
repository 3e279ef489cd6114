import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { writeAtomically } from "../../../host/files/index.ts";
import { copyPrivate, maskFile, runPaths } from "../../../host/recording/index.ts";
import { findKnown, maskBytes } from "../../../host/secrets/index.ts";
import { own } from "../../../host/sink/index.ts";
import { compare, entriesOf, type Manifest, openManifest, patch, snapshot } from "../../../host/workspace/index.ts";
import type { GuardedObjects } from "./guarded-objects.ts";

/** A run's paths for the state of its workspace before and after. `masked` exists if something in them had to be masked. */
export function statePaths(directory: string) {
  const folder = join(runPaths(directory).artifacts, "workspace");
  const named = (name: string) => join(folder, name);
  return { folder, before: named("before.jsonl"), after: named("after.jsonl"), patch: named("diff.patch"), masked: named("masked.json") };
}

/**
 * Stores the state before and after, and the difference, with the run, so that later grading finds the workspace as the agent left it.
 * Contents with a secret are not kept, and names and the patch are masked; then `masked.json` says so.
 */
export async function keepState(directory: string, workspace: string, before: Manifest, objects: GuardedObjects): Promise<void> {
  const paths = statePaths(directory);
  const find = findKnown();
  mkdirSync(paths.folder, { recursive: true, mode: 0o700 });
  copyPrivate(before.path, paths.before);
  const after = await snapshot(workspace, { to: paths.after, keep: objects });
  const shown = (contents: Buffer) => maskBytes(contents, find).bytes;
  await patch(compare(openManifest(paths.before), after, { objects }), objects, { to: paths.patch, shown });
  const contents = Array.from(entriesOf(after)).filter(({ sha256 }) => sha256 !== undefined && objects.isSecret(sha256)).length;
  const names =
    find.longest === 0 ? 0 : [paths.before, paths.after, paths.patch].reduce((sum, path) => sum + maskFile(path, find).masked, 0);
  if (contents + names > 0) writeAtomically(paths.masked, own`{\n  "contents": ${contents},\n  "names": ${names}\n}\n`);
}
