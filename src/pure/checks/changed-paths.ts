import type { Evidence, FileChangeKind } from "../events/index.ts";
import type { RunEvidence } from "./evidence.ts";

export const NOT_COMPARED = "Changes to the workspace were not observed.";

export interface ChangedPath {
  readonly path: string;
  readonly kind: FileChangeKind;
  readonly was?: string;
}

/** The known changes to the workspace. */
export interface ChangedPaths {
  readonly paths: readonly ChangedPath[];
  /** Why the list may be incomplete; undefined: it is complete. */
  readonly gap?: string;
  readonly seq: number;
}

/**
 * The fact lists the first changes; the patch has every changed file that could be included. Together they are complete, unless they say
 * otherwise. Undefined: the workspace was not compared.
 */
export function changedPaths({ files, patch }: RunEvidence): ChangedPaths | undefined {
  if (files === undefined || files.body.total === null) return undefined;
  const { changes, total, leftOut, unseen } = files.body;
  const paths = new Map<string, ChangedPath>(changes.map((change) => [change.path, change]));
  const isListed = changes.length >= total;
  if (!isListed) for (const { path, change } of patch ?? []) if (!paths.has(path)) paths.set(path, { path, kind: change });
  const gap = gapOf({ isListed, hasPatch: patch !== undefined, leftOut, unseen });
  return { paths: [...paths.values()], ...(gap === undefined ? {} : { gap }), seq: files.seq };
}

function gapOf(known: { isListed: boolean; hasPatch: boolean; leftOut: number; unseen: number | null }): string | undefined {
  if (known.unseen === null || known.unseen > 0) return "not everything in the workspace could be read";
  if (known.isListed) return undefined;
  if (!known.hasPatch) return "there are more changes than the recording lists";
  return known.leftOut > 0 ? "some changes are neither listed nor in the patch" : undefined;
}

export function pathEvidence(paths: readonly ChangedPath[], seq: number): readonly Evidence[] {
  return paths.map(({ path, kind }) => ({ source: "fs_diff", path, excerpt: kind, events: [seq] }));
}
