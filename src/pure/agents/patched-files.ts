import { resolvePath } from "../base/index.ts";
import type { Operation } from "../events/index.ts";

const PATCHED_FILE = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\r?$/gm;

/** The files that an `apply_patch` patch writes. A moved file counts as written at both paths. */
export function patchedFiles(patch: string, cwd: string | undefined): readonly Operation[] {
  return Array.from(patch.matchAll(PATCHED_FILE), ([, path = ""]) => ({ kind: "write", path: resolvePath(path.trim(), cwd) }));
}
