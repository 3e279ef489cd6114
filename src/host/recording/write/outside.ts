import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { basename, join } from "node:path";
import { isObject, parseJson } from "../../../pure/base/index.ts";
import { openToRead, writeAtomically } from "../../files/index.ts";
import type { FindSecrets } from "../../secrets/index.ts";
import { recorded } from "../../sink/index.ts";
import { type FileSeal, holds, isFileAt, type RunManifest, sealOfFile } from "../format/index.ts";
import { isOutside, keptViewsOf, outsidePath } from "./kept-views.ts";
import { maskFile } from "./mask-file.ts";
import { jsonText } from "./run-directory.ts";

// A run may have a directory outside its own, named by the user: a description (metadata.json), views, copies of its artifacts and of the
// agent's output, and a seal (seal.json) to check them all without the recording. The agent can reach it.

/** Descriptions are far smaller. */
const LARGEST = 256 * 1024 * 1024;

/** A run's outside directory, if it names this run as its own: a forged `run.json` must not make us read or write elsewhere. */
export function outsideOf({ observed, id }: Pick<RunManifest, "observed" | "id">): string | undefined {
  if (observed === undefined) return undefined;
  const fd = openToRead(join(observed.out, "metadata.json"));
  if (fd === undefined) return undefined;
  try {
    const value: unknown = fstatSync(fd).size > LARGEST ? undefined : parseJson(readFileSync(fd, "utf8"));
    return isObject(value) && value["run_id"] === id ? observed.out : undefined;
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}

/** Inside it while the agent runs: the files that watch its commands. */
export const SCRATCH = ".commands";

/** Removes the scratch files of a killed recorder: they hold command arguments, which may include secrets. */
export function removeScratch(out: string): void {
  try {
    rmSync(join(out, SCRATCH), { recursive: true, force: true });
  } catch {
    // The agent may have put something there that cannot be removed.
  }
}

/** Makes every path we write to writable or free: the agent may have put a directory, a link or a read-only file there. */
export function removeOddities(out: string, manifest: RunManifest): void {
  if (!isDirectory(out)) return;
  const views = keptViewsOf(manifest).filter(isOutside);
  for (const path of [...views.map((kept) => outsidePath(kept, out)), sealPath(out)])
    if (!isFileAt(path)) rmSync(path, { recursive: true, force: true });
    else chmodSync(path, 0o600);
}

/**
 * The seals of everything besides the views: the run's `artifacts/`, and outside the description and the copies of the artifacts and of
 * `printed`, which are recognized by their contents. Other files there are not ours.
 */
export function artifactSeals(
  directory: string,
  out: string | undefined,
  printed: readonly FileSeal[],
): Readonly<Record<string, FileSeal>> {
  const names = new Set(filesIn(join(directory, "artifacts")));
  const sealed = (name: string, path: string, isOurs: (path: string) => boolean) => {
    const seal = isFileAt(path) && isOurs(path) ? sealOfFile(path) : undefined;
    return seal === undefined ? [] : [[name, seal] as const];
  };
  const isCopy = (path: string) =>
    names.has(basename(path)) || printed.some(({ bytes, sha256 }) => lstatSync(path).size === bytes && holds(path, sha256));
  const copies = out !== undefined && isDirectory(join(out, "artifacts")) ? namesIn(join(out, "artifacts")) : [];
  return Object.fromEntries([
    ...[...names].flatMap((name) => sealed(`artifacts/${name}`, join(directory, "artifacts", name), () => true)),
    ...(out === undefined ? [] : sealed("out/metadata.json", join(out, "metadata.json"), () => true)),
    ...copies.flatMap((name) => sealed(`out/artifacts/${name}`, join(out ?? "", "artifacts", name), isCopy)),
  ]);
}

/** Writes the seal of the outside files next to them: it is enough to check and sign them. */
export function sealOutside(out: string, manifest: RunManifest): void {
  removeOddities(out, manifest);
  writeAtomically(sealPath(out), recorded(outsideSealText(manifest)));
}

/** The exact contents of that file. */
export function outsideSealText({ id, sealed, digest }: RunManifest): string {
  const files = Object.entries(sealed?.files ?? {}).filter(([name]) => name.startsWith("out/"));
  const { records, head } = sealed ?? {};
  const own = Object.fromEntries(files.map(([name, seal]) => [name.slice("out/".length), seal]));
  return jsonText({ run_id: id, records, head, digest, files: own });
}

export function sealPath(out: string): string {
  return join(out, "seal.json");
}

/** Masks artifacts that a dead recorder wrote but did not mask; masked ones stay unchanged. Returns how many secrets were found. */
export function maskArtifacts(directory: string, find: FindSecrets): number {
  if (find.longest === 0) return 0;
  const files = namesIn(join(directory, "artifacts")).map((name) => join(directory, "artifacts", name));
  return files.filter(isFileAt).reduce((sum, path) => sum + maskFile(path, find).masked, 0);
}

/** Copies the run's artifacts outside; existing files stay. */
export function publishArtifacts(directory: string, out: string): void {
  const [from, to] = [join(directory, "artifacts"), join(out, "artifacts")];
  if (lstatSync(to, { throwIfNoEntry: false }) === undefined) mkdirSync(to, { mode: 0o700 });
  if (!isDirectory(to)) return; // the agent replaced it
  for (const name of namesIn(from))
    if (isFileAt(join(from, name)) && lstatSync(join(to, name), { throwIfNoEntry: false }) === undefined)
      copyPrivate(join(from, name), join(to, name));
}

/** A private copy, which shares its blocks with the original if the file system can. */
export function copyPrivate(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  const fd = openSync(to, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    fchmodSync(fd, 0o600);
  } finally {
    closeSync(fd);
  }
}

function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The files below a directory, as paths relative to it. No link is followed. */
export function filesIn(directory: string): readonly string[] {
  return namesIn(directory).flatMap((name) =>
    isDirectory(join(directory, name)) ? filesIn(join(directory, name)).map((below) => `${name}/${below}`) : [name],
  );
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return []; // the directory is gone
  }
}
