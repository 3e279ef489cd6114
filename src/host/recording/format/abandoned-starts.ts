import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { lockOwner } from "../../files/index.ts";
import type { DataDirectory } from "./data-directory.ts";
import { isRunId } from "./run-id.ts";

/** Far longer than a start takes: a younger directory may be about to be locked. */
const ABANDONED_MS = 10 * 60_000;

/** Removes the directories `.<id>` of recorders that were killed before their run had its name. */
export async function removeAbandonedStarts({ runs }: DataDirectory): Promise<void> {
  for (const name of namesIn(runs)) {
    if (!name.startsWith(".") || !isRunId(name.slice(1))) continue;
    const path = join(runs, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory() !== true || !(stats.mtimeMs < Date.now() - ABANDONED_MS)) continue;
    if ((await lockOwner(path)) === undefined) rmSync(path, { recursive: true, force: true });
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return []; // nothing has been run yet
  }
}
