import { closeSync, constants, fstatSync, fsyncSync, lstatSync, mkdirSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { HarnessError } from "../core/errors.ts";
import { observedOut } from "../recorder/observed-out.ts";
import { logError } from "../store/log-error.ts";
import { openPrivate } from "../store/open-private.ts";
import { bytesOf, openToRead } from "../store/open-to-read.ts";
import type { RunManifest } from "../store/run-manifest.ts";
import { writeFully } from "../store/write-fully.ts";
import { readTar, TAR_END, tarHeader, tarPadding } from "./tar.ts";

/** What a bundle holds: the recording, its session log, and the observation without its workspace. */
const ALLOWED = /^(?:session\.(?:ndjson|meta\.json)|(?:run|out)\/(?:artifacts\/)?[A-Za-z0-9][A-Za-z0-9._-]{0,80})$/;

export interface Bundled {
  readonly run: string;
  readonly session: string;
  readonly out?: string;
}

export interface BundleSource {
  readonly directory: string;
  readonly manifest: RunManifest;
  readonly session: { readonly stream: string; readonly meta: string };
}

/** Writes a sealed run as one archive that can be checked elsewhere. The same run gives the same bytes. */
export function writeBundle(
  { directory, manifest, session }: BundleSource,
  to: string,
): { readonly files: number; readonly bytes: number } {
  if (manifest.sealed === undefined) throw new HarnessError("usage", `The run ${manifest.id} is not finished; bundle it when it is.`);
  const out = observedOut(manifest);
  const files = [
    ...filesIn(directory, "run"),
    ["session.meta.json", session.meta] as const,
    ["session.ndjson", session.stream] as const,
    ...(out === undefined ? [] : filesIn(out, "out")),
  ];
  const { fd } = openPrivate(to, { exclusive: true });
  let bytes = 0;
  const append = (piece: Uint8Array) => {
    const { error } = writeFully(fd, piece);
    if (error !== undefined) throw logError(`Cannot write ${to}`, error);
    bytes += piece.length;
  };
  try {
    for (const [name, path] of files) appendFile(name, path, append);
    append(TAR_END);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  return { files: files.length, bytes };
}

function appendFile(name: string, path: string, append: (piece: Uint8Array) => void): void {
  const fd = openToRead(path);
  if (fd === undefined) throw new HarnessError("input", `${path} is missing; the run is not whole: harness verify says more.`);
  try {
    const { size } = fstatSync(fd);
    let done = 0;
    append(tarHeader({ name, size }));
    for (const piece of bytesOf(fd)) {
      append(piece);
      done += piece.length;
    }
    if (done !== size) throw new HarnessError("input", `${path} changed while it was bundled; nobody may write it.`);
    append(tarPadding(size));
  } finally {
    closeSync(fd);
  }
}

/** Its files and those of its `artifacts/`, in the order of their names. What has no name of ours stays where it is. */
function filesIn(directory: string, prefix: string): readonly (readonly [string, string])[] {
  const isFile = (path: string) => lstatSync(path).isFile();
  const named = (folder: string, under: string) =>
    readdirSync(folder)
      .sort()
      .map((name) => [`${under}/${name}`, join(folder, name)] as const)
      .filter(([name, path]) => ALLOWED.test(name) && isFile(path));
  const artifacts = join(directory, "artifacts");
  const hasArtifacts = lstatSync(artifacts, { throwIfNoEntry: false })?.isDirectory() === true;
  return [...named(directory, prefix), ...(hasArtifacts ? named(artifacts, `${prefix}/artifacts`) : [])];
}

/** Whether the file begins as an archive does. */
export function isBundle(path: string): boolean {
  const fd = openToRead(path);
  if (fd === undefined) return false;
  try {
    const [first] = bytesOf(fd);
    return first !== undefined && first.length >= 512 && Buffer.from(first.subarray(257, 262)).toString("latin1") === "ustar";
  } finally {
    closeSync(fd);
  }
}

/** Unpacks a bundle into a new private directory. Only what belongs in one comes out, under names of ours. */
export function unpackBundle(path: string, into: string): Bundled {
  for (const folder of ["run", "run/artifacts", "out", "out/artifacts"]) mkdirSync(join(into, folder), { recursive: true, mode: 0o700 });
  let hasOut = false;
  for (const { entry, pieces } of readTar(path, ALLOWED)) {
    hasOut ||= entry.name.startsWith("out/");
    const fd = openSync(join(into, entry.name), constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
    try {
      for (const piece of pieces()) {
        const { error } = writeFully(fd, piece);
        if (error !== undefined) throw logError(`Cannot unpack ${path}`, error);
      }
    } finally {
      closeSync(fd);
    }
  }
  return { run: join(into, "run"), session: join(into, "session.ndjson"), ...(hasOut && { out: join(into, "out") }) };
}
