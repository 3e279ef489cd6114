import { hostname } from "node:os";
import { basename, dirname, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { HarnessError } from "../../../pure/base/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import { acquireLock, isSharedByHosts, lockOwner, type Owner } from "../../files/index.ts";
import { sweep } from "../../process/index.ts";
import { dataDirectory, dataOfRun, type RunManifest, readManifest, rememberModule, runPaths, sessionPaths } from "../format/index.ts";
import { agentOfRun } from "../own/index.ts";
import { completeRun } from "./complete-run.ts";

export interface OpenedRun {
  readonly directory: string;
  readonly manifest: RunManifest;
  /** Who is writing it; undefined for a finished run. */
  readonly owner?: Owner;
  /** In one sentence, that this call finished what a dead recorder had begun; or why it could not: then it is left as it is, and can be read. */
  readonly notice?: string;
}

/** By this others know that a run will be finished in a moment. */
const COMPLETING = "harness, completing it";
const POLL_MS = 20;
/** How often somebody may be asked who says nothing, being busy or stopped, before it is taken for a recorder. */
const PATIENCE = 3;

/**
 * Opens a run for reading. One whose recorder died is completed and sealed first: its processes are ended, its secrets masked. Of
 * several processes that open it at once one does that, and the others wait for it. `given` finishes it where its own agent cannot be had and this is the same one.
 */
export async function openRun(directory: string, given?: Agent): Promise<OpenedRun> {
  for (let silences = 0; ; await pause(POLL_MS)) {
    const manifest = readManifest(runPaths(directory).manifest);
    if (manifest.sealed !== undefined) return { directory, manifest };
    const owner = await lockOwner(directory);
    if (owner?.command === COMPLETING || (owner?.command === null && ++silences < PATIENCE)) continue;
    if (owner !== undefined) return { directory, manifest, owner };
    try {
      refuseElsewhere(manifest, directory);
      return await completed(directory, await readerOf(manifest, given));
    } catch (error) {
      if (!(error instanceof HarnessError)) throw error;
      const why = `The run ${manifest.id} was not finished by its recorder, and is left as it is: ${error.message}`;
      if (error.code !== "locked") return { directory, manifest, notice: why };
    }
  }
}

async function completed(directory: string, { agent, isAnother }: Reader): Promise<OpenedRun> {
  const paths = runPaths(directory);
  const lock = await acquireLock(directory, { command: COMPLETING });
  try {
    const manifest = readManifest(paths.manifest);
    if (manifest.sealed !== undefined) return { directory, manifest }; // somebody else was faster
    const { sessions, id } = dataOfRun(directory);
    const read = isAnother ? readWith(manifest, agent) : manifest;
    await sweep(manifest.cookie);
    await completeRun({ paths, session: sessionPaths(sessions, id), manifest: read, agent, leftovers: null });
    const sealed = readManifest(paths.manifest);
    return { directory, manifest: sealed, notice: completedNotice(sealed) };
  } finally {
    await lock.release();
  }
}

function completedNotice({ id, sealed }: RunManifest): string {
  const details = sealed?.repairs?.length ? `: ${sealed.repairs.join("; ")}` : "";
  return `the run ${id} had not been finished by its recorder; it is completed and sealed now${details}`;
}

/** Who reads a run that has to be finished. */
interface Reader {
  readonly agent: Agent;
  /** Not the run's own, which cannot be had. */
  readonly isAnother: boolean;
}

/** A file that the user names stands in for the run's own if it is the same agent by name; any other would misread it for good. */
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

/** Only what lies where we keep runs is written to. Over a network a lock is seen on its own host only: the run may be alive there. */
function refuseElsewhere({ recorder }: RunManifest, directory: string): void {
  if (basename(dirname(resolve(directory))) !== "runs")
    throw new HarnessError("input", `${directory} is not in a directory of runs, beside which its session log would be.`);
  if (recorder.host !== hostname() && isSharedByHosts(directory))
    throw new HarnessError("input", `It was begun on ${recorder.host}, where it may still be going on; open it there.`);
}
