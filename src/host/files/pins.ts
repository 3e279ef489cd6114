import { createHash } from "node:crypto";
import { type BigIntStats, closeSync, lstatSync, openSync, readdirSync, readlinkSync, readSync, statSync } from "node:fs";
import { join } from "node:path";

/** Files and directories that must stay what they were when they were pinned. */
export interface Pins {
  /** The first path that was changed, removed or added; undefined if all are what they were. */
  changed(): string | undefined;
}

export interface PinOptions {
  /** Names that are not looked at. */
  readonly ignore?: readonly string[];
  /** False: nothing is read, so a file that is written again with the same contents counts as changed. */
  readonly hashed?: boolean;
}

interface Mark {
  /** No program can set the time of a file's last change of status, short of turning back the clock. */
  stamp: string;
  readonly sha256: string | undefined;
}

/**
 * Remembers the contents of files, and of everything below directories; a path that does not exist must stay absent. Asking again reads only
 * what the file system says was touched.
 */
export function pinFiles(paths: readonly string[], { ignore = [], hashed = true }: PinOptions = {}): Pins {
  const marks = new Map<string, Mark>();
  for (const path of new Set(paths)) for (const file of below(path, ignore)) marks.set(file, markOf(file));

  function markOf(file: string): Mark {
    return { stamp: stampOf(file), sha256: hashed ? hashOf(file) : undefined };
  }

  function isChanged(file: string, mark: Mark): boolean {
    const stamp = stampOf(file);
    if (stamp === mark.stamp) return false;
    if (mark.sha256 === undefined || hashOf(file) !== mark.sha256) return true;
    mark.stamp = stamp;
    return false;
  }

  return {
    changed() {
      for (const [file, mark] of marks) if (isChanged(file, mark)) return file;
      for (const path of paths) for (const file of below(path, ignore)) if (!marks.has(file)) return file;
      return undefined;
    },
  };
}

/** The path itself, or the files below a directory. Links below it are not followed. */
function below(path: string, ignore: readonly string[]): readonly string[] {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => !ignore.includes(name))
    .flatMap((entry) => (entry.isDirectory() ? below(join(path, entry.name), ignore) : [join(path, entry.name)]));
}

function stampOf(file: string): string {
  const own = lstatSync(file, { throwIfNoEntry: false, bigint: true });
  const target = own?.isSymbolicLink() ? statSync(file, { throwIfNoEntry: false, bigint: true }) : undefined;
  return [own, target].map(timesOf).join(" ");
}

function timesOf(stats: BigIntStats | undefined): string {
  return stats === undefined ? "-" : [stats.dev, stats.ino, stats.mode, stats.size, stats.mtimeNs, stats.ctimeNs].join(":");
}

/** Of a file's contents, or of the text of a link that leads to none; the same for all that have neither. */
function hashOf(file: string): string {
  const hash = createHash("sha256");
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    return isLink ? hash.update(readlinkSync(file)).digest("hex") : "";
  }
  const fd = openSync(file, "r");
  try {
    const chunk = Buffer.allocUnsafe(CHUNK);
    for (let read = readSync(fd, chunk); read > 0; read = readSync(fd, chunk)) hash.update(chunk.subarray(0, read));
  } finally {
    closeSync(fd);
  }
  return hash.digest("hex");
}

const CHUNK = 1024 * 1024;
