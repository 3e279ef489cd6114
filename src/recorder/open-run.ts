import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { HarnessError } from "../core/errors.ts";
import { findAgent } from "../derive/derive.ts";
import { sweep } from "../runner/guardian.ts";
import { dataOfRun } from "../store/find-run.ts";
import { acquireLock, lockOwner, type Owner } from "../store/lock.ts";
import { type RunManifest, readManifest } from "../store/run-manifest.ts";
import { runPaths, sessionPaths } from "../store/run-paths.ts";
import { completeRun } from "./complete-run.ts";

export interface OpenedRun {
  readonly directory: string;
  readonly manifest: RunManifest;
  /** Who is writing it; undefined for a finished run. */
  readonly owner?: Owner;
  /** Set where this call had to finish what a dead recorder had begun. */
  readonly repaired?: true;
}

/** Opens a run for reading. One whose recorder died is completed and sealed first: its processes are ended, its secrets masked. */
export async function openRun(directory: string): Promise<OpenedRun> {
  const paths = runPaths(directory);
  const manifest = readManifest(paths.manifest);
  if (manifest.sealed !== undefined) return { directory, manifest };
  const owner = await lockOwner(directory);
  if (owner !== undefined) return { directory, manifest, owner };
  return repaired(directory);
}

async function repaired(directory: string): Promise<OpenedRun> {
  const paths = runPaths(directory);
  const lock = await acquireLock(directory, { command: "harness, completing it" });
  try {
    const manifest = readManifest(paths.manifest);
    if (manifest.sealed !== undefined) return { directory, manifest }; // somebody else was faster
    if (manifest.recorder.host !== hostname() && !existsSync(paths.stdout)) {
      throw new HarnessError("input", `The run ${manifest.id} was begun on ${manifest.recorder.host} and is not finished; open it there.`);
    }
    await sweep(manifest.cookie);
    const { sessions, id } = dataOfRun(directory);
    const agent = findAgent(manifest.agent);
    const seal = await completeRun({ paths, session: sessionPaths(sessions, id), manifest, agent, leftovers: null });
    return { directory, manifest: { ...manifest, sealed: seal }, repaired: true };
  } finally {
    await lock.release();
  }
}

/** Whether somebody still writes the run; where nobody does, it has been completed before the answer. */
export async function isBeingWritten(directory: string): Promise<boolean> {
  return (await openRun(directory)).owner !== undefined;
}
