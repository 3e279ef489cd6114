import { join } from "node:path";
import type { ArtifactBody, FileRef, WorkspaceBody } from "../../../pure/events/index.ts";
import type { KeptRun } from "../../../pure/pipeline/index.ts";
import { OUTPUT_FILES, type RunManifest } from "../format/index.ts";

/** How many changed paths a fact lists. */
const MOST_NAMED = 100;

const [BEFORE, AFTER, PATCH] = ["artifacts/workspace/before.jsonl", "artifacts/workspace/after.jsonl", "artifacts/workspace/diff.patch"];

/**
 * What the sealed files show of a run that was not observed: its command, its output and, for a trial, both ends of its workspace. Undefined
 * for a run that is not sealed, or that was observed and has all this in its records.
 */
export async function keptRun(manifest: RunManifest, directory: string): Promise<KeptRun | undefined> {
  const { sealed, observed, command, startedAt, cwd } = manifest;
  if (sealed === undefined || observed !== undefined) return undefined;
  const file = (path: string | undefined): FileRef | undefined => {
    const seal = path === undefined ? undefined : sealed.files[path];
    return path === undefined || seal === undefined ? undefined : { path, bytes: seal.bytes, sha256: seal.sha256 };
  };
  const outputs = (["stdout", "stderr"] as const).map((role): ArtifactBody => {
    const found = file(OUTPUT_FILES[role]);
    return { type: "artifact", role, ...(found === undefined ? { problem: "it is not on disk" } : { file: found }) };
  });
  const argv = command === undefined ? [] : [command.binary, ...command.args];
  return { startedAt, argv, outputs, ...(await workspaceOf(directory, cwd, file)) };
}

async function workspaceOf(
  directory: string,
  root: string,
  file: (path: string | undefined) => FileRef | undefined,
): Promise<Pick<KeptRun, "workspace" | "changes">> {
  const [before, after, patch] = [file(BEFORE), file(AFTER), file(PATCH)];
  if (before === undefined || after === undefined) return {};
  const { compare, entriesOf, openManifest, topChanges } = await import("../../workspace/index.ts");
  try {
    const [first, last] = [openManifest(join(directory, before.path)), openManifest(join(directory, after.path))];
    const comparison = compare(first, last);
    const { total, top } = topChanges(comparison, MOST_NAMED);
    const unseen = [first, last].reduce((sum, { end }) => sum + end.unread + end.unlisted + (end.root === undefined ? 0 : 1), 0);
    const changes: KeptRun["changes"] = {
      type: "files-changed",
      method: "other",
      before,
      after,
      ...(patch !== undefined && { patch }),
      total,
      counts: comparison.counts,
      changes: top.map(({ kind, path, from }) => ({ kind, path, ...(from !== undefined && { was: from }) })),
      unseen,
    };
    const entries = [...entriesOf(first)].length;
    const source = entries === 0 ? "empty" : "copied";
    const workspace: WorkspaceBody = { type: "workspace-prepared", root, source, manifest: before, entries, bytes: first.end.bytes };
    return { workspace, changes };
  } catch {
    return {}; // what cannot be read shows nothing; verify names it
  }
}
