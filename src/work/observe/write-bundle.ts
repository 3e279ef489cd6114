import { closeSync, constants, fstatSync, fsyncSync, lstatSync, mkdirSync, openSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bytesOf, logError, openPrivate, openToRead } from "../../host/files/index.ts";
import { outsideOf, type RunManifest } from "../../host/recording/index.ts";
import { recorded, writeFully } from "../../host/sink/index.ts";
import { HarnessError } from "../../pure/base/index.ts";
import { readTar, TAR_END, type TarFlaw, tarHeader, tarPadding } from "./tar.ts";

/** The contents of a bundle: the recording with its set-aside parts, its session log, and the observation without its workspace. */
const ALLOWED = new RegExp(
  [
    String.raw`^session\.(?:ndjson|meta\.json)$`,
    String.raw`^run/(?:run\.json|(?:raw|records|events|index|client)\.jsonl|stderr\.log|prompt\.txt)(?:\.torn-\d+(?:-\d+)?|\.replaced)?$`,
    String.raw`^run/run\.json\.sig$`,
    String.raw`^out/(?:metadata\.json|events\.jsonl|seal\.json|seal\.json\.sig)$`,
    "^(?:run|out)/artifacts/[A-Za-z0-9][A-Za-z0-9._-]{0,80}$",
  ].join("|"),
);

export interface Bundled {
  readonly run: string;
  readonly session: string;
  readonly out?: string;
  /** The first difference from what we write; nothing after it is checked. */
  readonly flaw?: TarFlaw;
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
  if (manifest.sealed === undefined) throw new HarnessError("usage", `The run ${manifest.id} is not finished. Bundle it when it is.`);
  const files = bundled(directory, session, outsideOf(manifest));
  const { fd } = openPrivate(to, { exclusive: true });
  let bytes = 0;
  const append = (piece: Uint8Array) => {
    const { error } = writeFully(fd, recorded(piece));
    if (error !== undefined) throw logError(`Cannot write ${to}`, error);
    bytes += piece.length;
  };
  try {
    for (const [name, path] of files) appendFile(name, path, append);
    append(TAR_END);
    fsyncSync(fd);
  } catch (error) {
    rmSync(to, { force: true }); // leave no partial bundle
    throw error;
  } finally {
    closeSync(fd);
  }
  return { files: files.length, bytes };
}

/** The files of a bundle in order: the name in the bundle, and the source. */
function bundled(directory: string, session: BundleSource["session"], out: string | undefined): readonly (readonly [string, string])[] {
  return [
    ...filesIn(directory, "run"),
    ["session.meta.json", session.meta],
    ["session.ndjson", session.stream],
    ...(out === undefined ? [] : filesIn(out, "out")),
  ];
}

function appendFile(name: string, path: string, append: (piece: Uint8Array) => void): void {
  const fd = openToRead(path);
  if (fd === undefined)
    throw new HarnessError("input", `${path} is missing, so the run is incomplete. Verify it to see what else is missing.`);
  try {
    const { size } = fstatSync(fd);
    let done = 0;
    append(tarHeader({ name, size }));
    for (const piece of bytesOf(fd)) {
      append(piece);
      done += piece.length;
    }
    if (done !== size)
      throw new HarnessError("input", `${path} changed while it was bundled. Make sure that no other process writes to it.`);
    append(tarPadding(size));
  } finally {
    closeSync(fd);
  }
}

/** The files of a directory and of its `artifacts/`, sorted by name. Skips names that are not ours. */
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

/** Whether the file starts like an archive. */
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

/** Throws for the compressed forms in which people send a bundle, and names them. */
export function refuseCompressed(path: string): void {
  const fd = openToRead(path);
  if (fd === undefined) return;
  try {
    const [first = Buffer.alloc(0)] = bytesOf(fd);
    const start = Buffer.from(first.subarray(0, 6)).toString("latin1");
    const found = COMPRESSED.find(({ magic }) => start.startsWith(magic));
    if (found !== undefined) throw new HarnessError("input", `${path} is compressed with ${found.name}. Unpack it first: ${found.remedy}`);
  } finally {
    closeSync(fd);
  }
}

const COMPRESSED = [
  { magic: "\x1f\x8b", name: "gzip", remedy: "gunzip" },
  { magic: "PK\x03\x04", name: "zip", remedy: "unzip" },
  { magic: "\xfd7zXZ", name: "xz", remedy: "unxz" },
  { magic: "\x28\xb5\x2f\xfd", name: "zstd", remedy: "unzstd" },
  { magic: "BZh", name: "bzip2", remedy: "bunzip2" },
] as const;

/** Unpacks a bundle into a new private directory. Extracts only what belongs in one, under our own names. */
export function unpackBundle(path: string, into: string): Bundled {
  for (const folder of ["run", "run/artifacts", "out", "out/artifacts"]) mkdirSync(join(into, folder), { mode: 0o700 });
  const names: string[] = [];
  let flaw: TarFlaw | undefined;
  for (const each of readTar(path, ALLOWED)) {
    if (!("entry" in each)) {
      flaw = each;
      break;
    }
    const { entry, pieces } = each;
    names.push(entry.name);
    const fd = openSync(join(into, entry.name), constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
    try {
      for (const piece of pieces()) {
        const { error } = writeFully(fd, recorded(piece));
        if (error !== undefined) throw logError(`Cannot unpack ${path}`, error);
      }
    } finally {
      closeSync(fd);
    }
  }
  const session = { stream: join(into, "session.ndjson"), meta: join(into, "session.meta.json") };
  const run = join(into, "run");
  const out = names.some((name) => name.startsWith("out/")) ? join(into, "out") : undefined;
  const ordered = bundled(run, session, out).map(([name]) => name);
  if (flaw === undefined && ordered.join() !== names.join())
    flaw = { offset: 0, problem: "its files, or their order, are not as we write them" };
  return { run, session: session.stream, ...(out !== undefined && { out }), ...(flaw !== undefined && { flaw }) };
}
