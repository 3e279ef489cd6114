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
import { join } from "node:path";
import { isObject } from "../../../pure/base/index.ts";
import { openToRead, writeAtomically } from "../../files/index.ts";
import type { FindSecrets } from "../../secrets/index.ts";
import { type FileSeal, isFileAt, type RunManifest, sealOfFile } from "../format/index.ts";
import { maskFile } from "./mask-file.ts";
import { jsonText } from "./run-directory.ts";

/** No description of an observation is nearly as long. */
const LARGEST = 16 * 1024 * 1024;

/**
 * The directory of a run's observation, where it is still there and says itself that it is one of this run: somebody else's `run.json`
 * must not make us write, or read, anywhere.
 */
export function observedOut({ observed, id }: Pick<RunManifest, "observed" | "id">): string | undefined {
  if (observed === undefined) return undefined;
  const fd = openToRead(join(observed.out, "metadata.json"));
  if (fd === undefined) return undefined;
  try {
    const value: unknown = fstatSync(fd).size > LARGEST ? undefined : JSON.parse(readFileSync(fd, "utf8"));
    return isObject(value) && value["run_id"] === id ? observed.out : undefined;
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}

/** In the directory of an observation, while the agent runs: what its commands are watched with. */
export const WATCH = ".commands";

/** What a recorder that was killed has left of it: the words of commands, secrets among them. */
export function removeWatch(out: string): void {
  try {
    rmSync(join(out, WATCH), { recursive: true, force: true });
  } catch {
    // The agent can put something there that cannot be removed.
  }
}

/** Where we write a file stands one of ours, or nothing: not a directory, nor a link, nor what we may not write, by the agent's doing. */
export function removeOddities(out: string): void {
  if (lstatSync(out, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  for (const path of ["events.jsonl", "seal.json"].map((name) => join(out, name)))
    if (!isFileAt(path)) rmSync(path, { recursive: true, force: true });
    else chmodSync(path, 0o600);
}

/** What the agent printed, under the names of specification 003. */
const OUTPUTS = ["agent_stdout.txt", "agent_stderr.txt", "claude_stdout.txt", "claude_stderr.txt"];

/** What is sealed of an observation besides its events: the files of the run's own `artifacts/`, and what the observation has of them. */
export function observedSeals(directory: string, out: string | undefined): Readonly<Record<string, FileSeal>> {
  const names = namesIn(join(directory, "artifacts"));
  const published = ["metadata.json", ...[...OUTPUTS, ...names].map((name) => `artifacts/${name}`)];
  const there = [
    ...names.map((name) => [`artifacts/${name}`, join(directory, "artifacts", name)] as const),
    ...(out === undefined ? [] : published.map((name) => [`out/${name}`, join(out, name)] as const)),
  ];
  return Object.fromEntries(
    there.flatMap(([name, path]) => {
      const seal = isFileAt(path) ? sealOfFile(path) : undefined;
      return seal === undefined ? [] : [[name, seal] as const];
    }),
  );
}

/** What the seal of a run says of its observation, beside it: with this alone its files can be checked, and it can be signed. */
export function sealOut(out: string, manifest: RunManifest): void {
  removeOddities(out);
  writeAtomically(join(out, "seal.json"), outSealText(manifest));
}

/** What that file holds, to the byte. */
export function outSealText({ id, sealed, digest }: RunManifest): string {
  const files = Object.entries(sealed?.files ?? {}).filter(([name]) => name.startsWith("out/"));
  const { records, head } = sealed ?? {};
  const own = Object.fromEntries(files.map(([name, seal]) => [name.slice("out/".length), seal]));
  return jsonText({ run_id: id, records, head, digest, files: own });
}

/** A recorder that died may have written one and not masked it yet; what is masked stays as it is. Answers how many were found. */
export function maskArtifacts(directory: string, find: FindSecrets): number {
  if (find.longest === 0) return 0;
  const files = namesIn(join(directory, "artifacts")).map((name) => join(directory, "artifacts", name));
  return files.filter(isFileAt).reduce((sum, path) => sum + maskFile(path, find).masked, 0);
}

/** What the run keeps of its evidence is also where the specification wants it; what is there already stays. */
export function publishArtifacts(directory: string, out: string): void {
  const [from, to] = [join(directory, "artifacts"), join(out, "artifacts")];
  if (lstatSync(to, { throwIfNoEntry: false }) === undefined) mkdirSync(to, { mode: 0o700 });
  if (!lstatSync(to).isDirectory()) return; // the agent's doing
  for (const name of namesIn(from))
    if (isFileAt(join(from, name)) && lstatSync(join(to, name), { throwIfNoEntry: false }) === undefined)
      copyPrivate(join(from, name), join(to, name));
}

/** A copy as ours alone, which shares its blocks with the original where the file system can. */
export function copyPrivate(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  const fd = openSync(to, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    fchmodSync(fd, 0o600);
  } finally {
    closeSync(fd);
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return []; // it is gone
  }
}
