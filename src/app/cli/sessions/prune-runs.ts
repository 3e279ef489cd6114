import { join } from "node:path";
import { lockOwner } from "../../../host/files/lock.ts";
import { removeAbandonedStarts } from "../../../host/recording/format/abandoned-starts.ts";
import { runIds } from "../../../host/recording/format/find-run.ts";
import { readManifest } from "../../../host/recording/format/run-manifest.ts";
import { runPaths } from "../../../host/recording/format/run-paths.ts";
import { counted } from "../../../pure/base/counted.ts";
import { HarnessError } from "../../../pure/base/errors.ts";
import { inTerminal, write } from "../../terminal/output.ts";
import { say } from "../../terminal/report.ts";
import { ourData } from "../options/open-named-run.ts";
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
