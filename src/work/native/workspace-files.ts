import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  type Stats,
  unlinkSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { forProgram, writeFully } from "../../host/sink/index.ts";
import { LINUX, systemPath } from "../../host/workspace/index.ts";
import { codeOf } from "../../pure/base/index.ts";
import { inWorkspace, LINKED, OutsideError, type Place } from "./workspace-place.ts";

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_WRONLY, O_CREAT, O_EXCL } = constants;

/** Use a shell for larger files. */
const LARGEST = 32 * 2 ** 20;

/** The files of a workspace, and nothing outside it. Every path is relative to its root, or absolute. */
export interface WorkspaceFiles {
  readonly root: string;
  read(path: string): Buffer;
  /** The contents of a file that only steers a search, such as `.gitignore`; not judged by permissions. Undefined if it cannot be read. */
  peek(path: string): Buffer | undefined;
  /** Writes the whole file or nothing, and creates missing directories. `mode` is that of a new file. Returns whether the file is new. */
  write(path: string, content: string | Buffer, mode?: number): boolean;
  remove(path: string): void;
  exists(path: string): boolean;
  /** The place that a path leads to, from the root and without links (except at its end, if that is to be kept), and the mode of what is there. */
  locate(path: string, keepsLink?: boolean): { readonly place: string; readonly mode: number | undefined };
  /** A directory, held open so that it cannot be swapped. */
  openDirectory(path: string): OpenDirectory;
}

export interface OpenDirectory {
  /** The path to walk from, until it is closed. */
  readonly at: string;
  /** From the root, without links. */
  readonly path: string;
  close(): void;
}

export function workspaceFiles(given: string): WorkspaceFiles {
  const root = realpathSync(given);
  /** The caller may name the root by a path with links. */
  const own = (path: string) =>
    isAbsolute(path) && resolve(path).startsWith(`${resolve(given)}/`) ? relative(resolve(given), resolve(path)) : path;
  return {
    root,
    read: (path) => inWorkspace(root, own(path), ({ at }) => contentsOf(at, path)),
    peek(path) {
      try {
        return inWorkspace(root, own(path), ({ at }) => contentsOf(at, path), { onlyLooks: true });
      } catch {
        return undefined;
      }
    },
    write: (path, content, mode) =>
      inWorkspace(root, own(path), ({ at, here, name }) => written(at, here, name, path, content, mode), { create: true }),
    locate: (path, keepsLink = false) => located(root, own(path), keepsLink),
    remove: (path) =>
      inWorkspace(root, own(path), ({ at }) => {
        if (lstatSync(at).isDirectory()) throw new OutsideError(`${path} is a directory. Only files can be removed.`);
        unlinkSync(at);
      }),
    exists(path) {
      try {
        return inWorkspace(root, own(path), ({ at }) => {
          const stats = lstatSync(at);
          return stats.isSymbolicLink() ? LINKED : true;
        });
      } catch {
        return false;
      }
    },
    openDirectory: (path) => inWorkspace(root, own(path), ({ at, path: real }) => opened(at, join(root, real), real)),
  };
}

/** A place in a directory that does not exist yet is below the nearest one that does. */
function located(root: string, path: string, keepsLink: boolean): { readonly place: string; readonly mode: number | undefined } {
  try {
    const look = ({ at, path: place }: Place) => {
      const stats = lookedAt(at);
      if (stats?.isSymbolicLink() && !keepsLink) return LINKED;
      return { place, mode: stats && stats.mode & 0o777 };
    };
    return inWorkspace(root, path, look, { onlyLooks: true });
  } catch (error) {
    const above = dirname(path);
    if (!(error instanceof OutsideError && codeOf(error.cause) === "ENOENT") || above === path) throw error;
    return { place: join(located(root, above, false).place, basename(path)), mode: undefined };
  }
}

function opened(at: string | Buffer, full: string, path: string): OpenDirectory | typeof LINKED {
  if (lstatSync(at).isSymbolicLink()) return LINKED;
  const fd = openSync(at, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  return { at: LINUX ? `/proc/self/fd/${fd}` : full, path, close: () => closeSync(fd) };
}

/** Never reads a link's target, a pipe (which would block) or a device. */
function contentsOf(at: string | Buffer, path: string): Buffer | typeof LINKED {
  let fd: number;
  try {
    fd = openSync(at, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === "ELOOP") return LINKED;
    throw error;
  }
  try {
    const stats = fstatSync(fd);
    if (stats.isDirectory()) throw new OutsideError(`${path} is a directory. List it.`);
    if (!stats.isFile()) throw new OutsideError(`${path} is not a regular file.`);
    if (stats.size > LARGEST) throw new OutsideError(`${path} has ${stats.size} bytes, more than the limit of ${LARGEST}.`);
    const bytes = Buffer.allocUnsafe(stats.size);
    let size = 0;
    while (size < bytes.length) {
      const count = readSync(fd, bytes, size, bytes.length - size, size);
      if (count === 0) break;
      size += count;
    }
    return bytes.subarray(0, size);
  } finally {
    closeSync(fd);
  }
}

/** A new file replaces the old one: hard links to the old one, maybe outside, keep their content. */
function written(
  at: string | Buffer,
  here: string | Buffer,
  name: string,
  path: string,
  content: string | Buffer,
  mode: number | undefined,
): boolean | typeof LINKED {
  const old = lookedAt(at);
  if (old?.isSymbolicLink()) return LINKED;
  if (old?.isDirectory()) throw new OutsideError(`${path} is a directory.`);
  if (old !== undefined && !old.isFile()) throw new OutsideError(`${path} is not a regular file.`);
  const temporary = systemPath(here, `.${name.slice(0, 100)}.${randomBytes(6).toString("hex")}`);
  const fd = openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
  try {
    try {
      const kept = old === undefined ? mode : old.mode & 0o777;
      if (kept !== undefined) fchmodSync(fd, kept);
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      const { error } = writeFully(fd, forProgram(bytes));
      if (error !== undefined) throw error;
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, at);
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  }
  return old === undefined;
}

function lookedAt(at: string | Buffer): Stats | undefined {
  return lstatSync(at, { throwIfNoEntry: false });
}
