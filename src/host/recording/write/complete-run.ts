import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { HarnessError } from "../../../pure/base/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import { logError, removeReserve, removeTemporaries, writeAtomically } from "../../files/index.ts";
import { nothingToFind } from "../../secrets/index.ts";
import { recorded } from "../../sink/index.ts";
import { eventsOfRun, runInfoOf } from "../derive/index.ts";
import { ensurePrivate, findFingerprints, type RunManifest, type RunPaths, type Seal, sealOfFile } from "../format/index.ts";
import { completeViews } from "./complete-views.ts";
import { isOutside, keptPath, keptViewsOf } from "./kept-views.ts";
import { lateFacts } from "./late-evidence.ts";
import { maskFile } from "./mask-file.ts";
import { mendWire } from "./mend-wire.ts";
import { artifactSeals, maskArtifacts, outsideOf, publishArtifacts, removeOddities, removeScratch, sealOutside } from "./outside.ts";
import { PROCESS_FILE, processRecord } from "./process-record.ts";
import { recoverRecords } from "./recover-records.ts";
import { jsonText } from "./run-directory.ts";
import { sealOf, writeSeal } from "./seal-run.ts";

export interface Unfinished {
  readonly paths: RunPaths;
  readonly session: { readonly stream: string; readonly meta: string };
  /** With `ended`, if the end was seen. */
  readonly manifest: RunManifest;
  readonly agent: Agent;
  readonly leftovers: number | null;
}

/**
 * Finishes a run for a recorder that could not: masks and records the last output, completes the views, and seals. The raw bytes are the
 * truth; the seal lists every repair. Can be interrupted anywhere and repeated, and needs little more space than what is missing. The
 * caller holds the lock, and no process of the run is alive.
 */
export async function completeRun(unfinished: Unfinished): Promise<Seal> {
  try {
    return await completed(unfinished);
  } catch (error) {
    throw error instanceof HarnessError ? error : logError(`Cannot complete the run ${unfinished.manifest.id}`, error);
  }
}

async function completed({ paths, session, manifest, agent, leftovers }: Unfinished): Promise<Seal> {
  if (!existsSync(paths.directory)) throw new HarnessError("log", `The run is lost: its directory ${paths.directory} no longer exists.`);
  for (const directory of [dirname(paths.directory), paths.directory, dirname(session.stream)]) ensurePrivate(directory);
  removeLeftovers(paths, session.meta);
  if (manifest.ended !== undefined) remember(paths, manifest);
  const { fingerprints } = manifest.secrets;
  const find = fingerprints === undefined ? nothingToFind : findFingerprints(fingerprints);
  const out = placeOf(manifest);
  const { repairs, masked, exit, seq, head, truncated, seals } = await recoverRecords(paths, manifest, find, async (ending, observed) =>
    out === undefined ? [] : lateFacts({ paths, agent, out, find }, ending, observed),
  );
  if (manifest.observed !== undefined && !existsSync(join(paths.directory, PROCESS_FILE))) {
    const timeline = processRecord(manifest.id, { isLate: true });
    for await (const events of eventsOfRun(manifest, paths.directory, agent, { truncated })) timeline.see(events);
    mkdirSync(dirname(join(paths.directory, PROCESS_FILE)), { recursive: true, mode: 0o700 });
    timeline.write(join(paths.directory, PROCESS_FILE));
  }
  const prompt = existsSync(paths.prompt) ? maskFile(paths.prompt, find) : undefined;
  const said = sealOfFile(paths.client); // was masked before it was written
  const wire = mendWire(paths.wire);
  repairs.push(...wire.repairs);
  const inArtifacts = maskArtifacts(paths.directory, find);
  if (out !== undefined) {
    removeScratch(out);
    removeOddities(out, manifest);
    publishArtifacts(paths.directory, out);
  }
  const views = keptViewsOf(manifest).flatMap((kept) => {
    const path = keptPath(kept, { directory: paths.directory, session: session.stream, out });
    return path === undefined ? [] : [{ kept, path }];
  });
  const made = await completeViews(views, paths.index, (onPlace) => eventsOfRun(manifest, paths.directory, agent, { truncated, onPlace }));
  repairs.push(...made.repairs);
  const inside = views.filter(({ kept }) => !isOutside(kept)).map(({ path }) => path);
  repairs.push(...earlierRepairs([paths.records, ...inside], repairs), ...replaced([paths.stdout, paths.stderr]));
  const files = {
    ...seals,
    ...(prompt === undefined ? {} : { "prompt.txt": prompt.seal }),
    ...(said === undefined ? {} : { "client.jsonl": said }),
    ...(wire.seal && { "wire.jsonl": wire.seal }),
    ...made.seals,
    ...(manifest.observed === undefined && manifest.evaluated === undefined
      ? {}
      : artifactSeals(paths.directory, out, Object.values(seals))),
  };
  const ending = { exit, summary: made.summary, network: made.network, eventCount: made.eventCount, records: seq, head };
  const rest = {
    masked: masked + inArtifacts + (prompt?.masked ?? 0) + (manifest.prompt.masked ?? 0),
    leftovers,
    files,
    ...(truncated.length === 0 ? {} : { truncated }),
    repairs,
  };
  const seal = sealOf(exit.at, ending, rest);
  const text = runInfoOf(manifest, paths.prompt).prompt ?? "";
  const finished = await writeSeal({ manifest: paths.manifest, meta: session.meta }, manifest, seal, text, Promise.resolve());
  if (out !== undefined) sealOutside(out, finished);
  return seal;
}

/** The outside directory, if it can be written. The agent may have replaced it with a link; nothing is written through one. */
function placeOf(manifest: RunManifest): string | undefined {
  const out = outsideOf(manifest);
  return out !== undefined && lstatSync(out, { throwIfNoEntry: false })?.isDirectory() ? out : undefined;
}

/** Removes what a dead process may have left next to the files of the run. */
function removeLeftovers({ directory, manifest }: RunPaths, meta: string): void {
  removeReserve(directory);
  for (const path of [manifest, meta]) removeTemporaries(path);
  for (const name of [".stdin", ".contents", ".late"]) rmSync(join(directory, name), { recursive: true, force: true });
}

/** Stores first how the run ended: if the rest fails on a disk that stays full, the next open still knows it. */
function remember(paths: RunPaths, manifest: RunManifest): void {
  try {
    writeAtomically(paths.manifest, recorded(jsonText(manifest)));
  } catch {
    // The next steps will fail, too, and report why.
  }
}

/** Files that another process had put in place of the agent's output. */
function replaced(files: readonly string[]): string[] {
  const found = files.filter((path) => existsSync(`${path}.replaced`)).map((path) => basename(path));
  return found.map((name) => `another file was in place of ${name} and was moved to ${name}.replaced`);
}

/** Files set aside by a repair that was interrupted before it could report them. */
function earlierRepairs(files: readonly string[], reported: readonly string[]): string[] {
  const asides = files.flatMap((path) => readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.torn-`)));
  const unreported = asides.filter((name) => !reported.some((repair) => repair.endsWith(` ${name}`)));
  return unreported.sort().map((name) => `an earlier repair, which was interrupted, moved torn or damaged bytes to ${name}`);
}
