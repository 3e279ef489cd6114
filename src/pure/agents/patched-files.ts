import { resolvePath } from "../base/index.ts";
import type { Operation } from "../events/index.ts";

const PATCHED_FILE = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\r?$/gm;

/** The files that a patch in the format of `apply_patch` writes. A moved file is written in both places. */
export function patchedFiles(patch: string, cwd: string | undefined): readonly Operation[] {
  return Array.from(patch.matchAll(PATCHED_FILE), ([, path = ""]) => ({ kind: "write", path: resolvePath(path.trim(), cwd) }));
}
