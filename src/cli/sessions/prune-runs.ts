import { join } from "node:path";
import { counted } from "../../core/counted.ts";
import { HarnessError } from "../../core/errors.ts";
import { removeAbandonedStarts } from "../../store/abandoned-starts.ts";
import { runIds } from "../../store/find-run.ts";
import { lockOwner } from "../../store/lock.ts";
import { readManifest } from "../../store/run-manifest.ts";
import { runPaths } from "../../store/run-paths.ts";
import { ourData } from "../open-named-run.ts";
import { inTerminal, write } from "../output.ts";
import { say } from "../report.ts";
import { removeRun } from "./remove-runs.ts";

interface Flags {
  readonly olderThan?: number;
  readonly keep?: number;
  readonly dryRun?: true;
}

/** Prints the ids of what it deletes. */
export async function pruneRuns({ olderThan, keep, dryRun }: Flags): Promise<void> {
  if (olderThan === undefined && keep === undefined)
    throw new HarnessError("usage", "Say what is old: --older-than <time>, --keep <n>, or both.");
  const { runs } = ourData();
  const ids = runIds(ourData()).slice(keep ?? 0);
  if (!dryRun) await removeAbandonedStarts(ourData());
  let count = 0;
  for (const id of ids) {
    const directory = join(runs, id);
    if (olderThan !== undefined && !(startOf(directory) < Date.now() - olderThan)) continue;
    if ((await lockOwner(directory)) !== undefined) continue;
    if (!dryRun) removeRun(directory);
    await write(`${id}\n`);
    count++;
  }
  if (inTerminal()) say(`${counted(count, "run")} ${dryRun ? "would be deleted" : "deleted"}`);
}

/** A run whose description cannot be read has no age: it is not deleted for being old. */
function startOf(directory: string): number {
  try {
    return readManifest(runPaths(directory).manifest).startedAt;
  } catch {
    return Number.NaN;
  }
}
