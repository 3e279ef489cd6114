import { hostname } from "node:os";
import { basename, dirname, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { HarnessError } from "../../../pure/base/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import { acquireLock, isSharedByHosts, lockOwner, type Owner } from "../../files/index.ts";
import { removeAbandonedWalls } from "../../isolation/index.ts";
import { sweep } from "../../process/index.ts";
import { dataDirectory, dataOfRun, type RunManifest, readManifest, rememberModule, runPaths, sessionPaths } from "../format/index.ts";
import { agentOfRun } from "../own/index.ts";
import { completeRun } from "./complete-run.ts";

export interface OpenedRun {
  readonly directory: string;
  readonly manifest: RunManifest;
  /** Who is writing it; undefined for a finished run. */
  readonly owner?: Owner;
  /** One sentence that this call finished a dead recorder's run, or why it could not. Then the run is unchanged, and can be read. */
  readonly notice?: string;
}

/** Shows others that a run will be finished in a moment. */
const COMPLETING = "harness, completing it";
const POLL_MS = 20;
/**
 * How many times in a row to ask a process that does not answer, because it is busy or stopped, before the run counts as being written.
 * Only the recorder and a process that completes the run lock it, so a lock that is not the recorder's is about to be freed.
 */
const PATIENCE = { recorder: 3, other: 120 };

/**
 * Opens a run for reading. If its recorder died, the run is completed and sealed first: its processes are ended and its secrets masked. If
 * several processes open it, one does that and the others wait. If the run's own agent is not available, `given` replaces it, provided it
 * is the same one.
 */
export async function openRun(directory: string, given?: Agent): Promise<OpenedRun> {
  for (let silences = 0; ; await pause(POLL_MS)) {
    const manifest = readManifest(runPaths(directory).manifest);
    if (manifest.sealed !== undefined) return { directory, manifest };
    const owner = await lockOwner(directory);
    if (owner?.command === null) silences++;
    else silences = 0;
    const patience = owner?.pid === manifest.recorder.pid ? PATIENCE.recorder : PATIENCE.other;
    if (owner?.command === COMPLETING || (owner?.command === null && silences < patience)) continue;
    if (owner !== undefined) return { directory, manifest, owner };
    try {
      refuseElsewhere(manifest, directory);
      return await completed(directory, await readerOf(manifest, given));
    } catch (error) {
      if (!(error instanceof HarnessError)) throw error;
      const why = `The run ${manifest.id} was not finished by its recorder and is left unfinished: ${error.message}`;
      if (error.code !== "locked") return { directory, manifest, notice: why };
    }
  }
}

async function completed(directory: string, { agent, isAnother }: Reader): Promise<OpenedRun> {
  const paths = runPaths(directory);
  const lock = await acquireLock(directory, { command: COMPLETING });
  try {
    const manifest = readManifest(paths.manifest);
    if (manifest.sealed !== undefined) return { directory, manifest }; // another process was faster
    const { sessions, id } = dataOfRun(directory);
    const read = isAnother ? readWith(manifest, agent) : manifest;
    await sweep(manifest.cookie);
    removeAbandonedWalls(manifest.isolation);
    await completeRun({ paths, session: sessionPaths(sessions, id), manifest: read, agent, leftovers: null });
    const sealed = readManifest(paths.manifest);
    return { directory, manifest: sealed, notice: completedNotice(sealed) };
  } finally {
    await lock.release();
  }
}

function completedNotice({ id, sealed }: RunManifest): string {
  const details = sealed?.repairs?.length ? `: ${sealed.repairs.join("; ")}` : "";
  return `the run ${id} was not finished by its recorder; it has now been completed and sealed${details}`;
}

/** The agent that reads a run to finish it. */
interface Reader {
  readonly agent: Agent;
  /** Not the run's own agent, which is not available. */
  readonly isAnother: boolean;
}

/** A file that the user names replaces the run's own agent if it has the same id; a different agent would misread the run for good. */
async function readerOf(manifest: RunManifest, given: Agent | undefined): Promise<Reader> {
  try {
    return { agent: await agentOfRun(manifest), isAnother: false };
  } catch (error) {
    if (given?.id !== manifest.agent || !(error instanceof HarnessError)) throw error;
    return { agent: given, isAnother: true };
  }
}

/** From now on the run is read with that file. */
function readWith(manifest: RunManifest, { origin }: Agent): RunManifest {
  if (origin?.kind === "module") rememberModule(dataDirectory(process.env), origin);
  return { ...manifest, agentFile: origin };
}

/** Writes only to runs in our own directory. Over a network, a lock is visible on its own host only: the run may be alive there. */
function refuseElsewhere({ recorder }: RunManifest, directory: string): void {
  if (basename(dirname(resolve(directory))) !== "runs")
    throw new HarnessError("input", `${directory} is not in a directory called runs, next to its session logs.`);
  if (recorder.host !== hostname() && isSharedByHosts(directory))
    throw new HarnessError("input", `It was started on the host ${recorder.host} and may still be running there. Open it on that host.`);
}
