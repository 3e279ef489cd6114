import { lstatSync, mkdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { errorWords } from "../../../pure/base/index.ts";
import type { ExitRecord, FactBody, FilesChangedBody, WorkspaceBody } from "../../../pure/events/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import { type FindSecrets, maskBytes } from "../../secrets/index.ts";
import { OUTPUT_FILES, type RunPaths } from "../format/index.ts";
import { maskFile } from "./mask-file.ts";
import { copyPrivate } from "./outside.ts";
import { fileSeal } from "./seal-run.ts";

/** The facts of an observation that its recorder had recorded when it died. */
export interface ObservedSoFar {
  /** By type; an output also by its role, as `artifact stdout`. */
  readonly types: ReadonlySet<string>;
  readonly workspace: WorkspaceBody | undefined;
}

export interface LateEvidence {
  readonly paths: RunPaths;
  readonly agent: Agent;
  /** The directory of the observation. */
  readonly out: string;
  readonly find: FindSecrets;
}

/** How many changed paths a fact lists. */
const MOST_NAMED = 100;

/**
 * What a dead recorder could still have observed, from the bytes on disk: the end of the process, its output, and the changes to the
 * workspace, which is scanned now. Facts that were recorded are not repeated. All of the agent's processes are gone.
 */
export async function lateFacts(
  evidence: LateEvidence,
  exit: ExitRecord,
  { types, workspace }: ObservedSoFar,
): Promise<readonly FactBody[]> {
  if (!types.has("process-started")) return []; // the agent was never started
  const { exitCode, signal, durationMs, stopped } = exit;
  const how = { exitCode, signal, durationMs, ...(stopped && { stopped }) };
  const resources = { userMs: null, systemMs: null, maxRssBytes: null };
  return [
    ...(types.has("process-observed") ? [] : [{ type: "process-observed", ...how, leftovers: null, resources } as const]),
    ...outputs(evidence, types),
    ...(types.has("files-changed") || workspace === undefined ? [] : [await changes(evidence, workspace)]),
  ];
}

function outputs({ paths, agent, out }: LateEvidence, types: ReadonlySet<string>): readonly FactBody[] {
  const folder = join(out, "artifacts");
  const missing = (["stdout", "stderr"] as const).filter((role) => !types.has(`artifact ${role}`));
  return missing.map((role) => {
    try {
      if (missing.length === 2 && role === "stdout") rmSync(folder, { recursive: true, force: true }); // the agent may have put anything there
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const names = [`agent_${role}.txt`, ...(agent.product === undefined ? [] : [`${agent.id}_${role}.txt`])];
      for (const name of names) {
        rmSync(join(folder, name), { recursive: true, force: true });
        copyPrivate(join(paths.directory, OUTPUT_FILES[role]), join(folder, name));
      }
      const [path = "", ...also] = names.map((name) => `artifacts/${name}`);
      return { type: "artifact", role, file: { path, ...fileSeal(join(out, path)) }, ...(also.length > 0 && { also }) };
    } catch (error) {
      return { type: "artifact", role, problem: `It could not be copied: ${errorWords(error)}` };
    }
  });
}

/** Compares the workspace as it is now with the manifest from before the start. The old contents come from the directory that was copied. */
async function changes(
  { paths: { directory }, out, find }: LateEvidence,
  { copiedFrom, manifest }: WorkspaceBody,
): Promise<FilesChangedBody> {
  const none = { type: "files-changed", method: "other", total: null, counts: null, changes: [], leftOut: 0, unseen: null } as const;
  const late = "The recorder died, so the workspace was scanned when the run was completed; later changes are included.";
  const scratch = join(directory, ".late");
  const { compare, openManifest, openObjects, patch, snapshot, topChanges } = await import("../../workspace/index.ts");
  try {
    if (manifest === undefined) return { ...none, problem: "The workspace was not scanned before the start." };
    const place = realpathSync(join(out, "workspace"));
    if (place !== join(realpathSync(out), "workspace") || !lstatSync(place).isDirectory())
      return { ...none, before: manifest, problem: "The workspace is gone, or behind a symbolic link." };
    rmSync(scratch, { recursive: true, force: true });
    mkdirSync(scratch, { mode: 0o700 });
    for (const name of ["manifest_after.jsonl", "fs_diff.patch"]) rmSync(join(directory, "artifacts", name), { force: true });
    const before = openManifest(join(directory, manifest.path));
    const objects = openObjects(join(scratch, "objects"), { isShared: false });
    try {
      const keep = { keep: objects, ignore: before.ignore };
      if (copiedFrom !== undefined) await snapshot(copiedFrom, { ...keep, to: join(scratch, "source.jsonl") }).catch(() => undefined);
      const after = await snapshot(place, { ...keep, to: join(directory, "artifacts/manifest_after.jsonl") });
      const comparison = compare(before, after, { objects });
      const shown = (contents: Buffer) => maskBytes(contents, find).bytes;
      const { leftOut } = await patch(comparison, objects, { to: join(directory, "artifacts/fs_diff.patch"), shown });
      const sealed = (name: string) => ({ path: name, ...maskFile(join(directory, name), find).seal });
      const { total, top } = topChanges(comparison, MOST_NAMED);
      const unseen = [before, after].reduce((sum, { end }) => sum + end.unread + end.unlisted + (end.root === undefined ? 0 : 1), 0);
      return {
        ...none,
        before: manifest,
        after: sealed("artifacts/manifest_after.jsonl"),
        patch: sealed("artifacts/fs_diff.patch"),
        total,
        counts: comparison.counts,
        changes: top.map(({ kind, path, from }) => ({ kind, path, ...(from !== undefined && { was: from }) })),
        leftOut: leftOut.length,
        unseen,
        problem: late,
      };
    } finally {
      objects.close();
    }
  } catch (error) {
    return { ...none, ...(manifest && { before: manifest }), problem: `The workspace could not be compared: ${errorWords(error)}` };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
