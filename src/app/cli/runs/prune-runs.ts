import { join } from "node:path";
import { lockOwner } from "../../../host/files/index.ts";
import { readManifest, removeAbandonedStarts, runIds, runPaths } from "../../../host/recording/index.ts";
import { counted, HarnessError } from "../../../pure/base/index.ts";
import { inTerminal, say, write } from "../../terminal/index.ts";
import { ourData } from "../options/index.ts";
import { runRemover } from "./remove-runs.ts";

interface Flags {
  readonly olderThan?: number;
  readonly keep?: number;
  readonly dryRun?: true;
}

export async function pruneRuns({ olderThan, keep, dryRun }: Flags): Promise<void> {
  if (olderThan === undefined && keep === undefined)
    throw new HarnessError("usage", "Which runs? Pass --older-than <age>, --keep <n>, or both.");
  const { runs } = ourData();
  const ids = runIds(ourData()).slice(keep ?? 0);
  if (!dryRun) await removeAbandonedStarts(ourData());
  const remove = runRemover(ourData());
  let count = 0;
  for (const id of ids) {
    const directory = join(runs, id);
    if (olderThan !== undefined && !(startOf(directory) < Date.now() - olderThan)) continue;
    if ((await lockOwner(directory)) !== undefined) continue;
    if (!dryRun) remove(directory);
    await write(`${id}\n`);
    count++;
  }
  if (inTerminal()) say(`${counted(count, "run")} ${dryRun ? "would be deleted" : "deleted"}`);
}

/** A run with an unreadable run.json has no age, so it is never too old. */
function startOf(directory: string): number {
  try {
    return readManifest(runPaths(directory).manifest).startedAt;
  } catch {
    return Number.NaN;
  }
}
