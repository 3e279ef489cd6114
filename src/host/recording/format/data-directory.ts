import { accessSync, chmodSync, closeSync, constants, fchmodSync, fstatSync, lstatSync, mkdirSync, openSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { codeOf, HarnessError } from "../../../pure/base/index.ts";
import { logError } from "../../files/index.ts";

/** The folders that store runs. Reading these paths creates nothing. */
export interface DataDirectory {
  readonly root: string;
  readonly runs: string;
  readonly sessions: string;
}

/** `$XDG_DATA_HOME/harness`, by default `~/.local/share/harness`. A relative variable counts as unset, as XDG requires. */
export function dataDirectory(env: NodeJS.ProcessEnv): DataDirectory {
  return dataDirectoryAt(join(absolute(env["XDG_DATA_HOME"]) ?? join(absolute(env["HOME"]) ?? home(), ".local/share"), "harness"));
}

export function dataDirectoryAt(root: string): DataDirectory {
  return { root, runs: join(root, "runs"), sessions: join(root, "sessions") };
}

/** A library caller chooses the directory with this option; the command line names the variable instead. */
const option = "dataDirectory";

/**
 * Makes sure that the directory exists, belongs to us and is private: 0700 for it and for every parent it creates, whatever the umask. A
 * directory that others could read is tightened; one of another user, or a link, is rejected. Only the root of the data directory
 * `mayBeLink`: people move it to a bigger disk.
 */
export function ensurePrivate(path: string, { mayBeLink = false }: { readonly mayBeLink?: boolean } = {}): void {
  const directory = resolve(path); // a trailing slash would follow a link
  try {
    if (lstatSync(directory, { throwIfNoEntry: false }) === undefined) create(directory);
    secure(directory, mayBeLink);
  } catch (error) {
    throw error instanceof HarnessError ? error : logError(`Cannot use the directory ${directory}`, error, undefined, option);
  }
}

function create(directory: string): void {
  const parent = dirname(directory);
  try {
    make(directory);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || parent === directory) throw error;
    create(parent);
    make(directory);
  }
}

function make(directory: string): void {
  try {
    mkdirSync(directory, 0o700);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return; // another process was faster
    throw error;
  }
  chmodSync(directory, 0o700); // the umask may have removed even our own rights
}

function secure(directory: string, mayBeLink: boolean): void {
  const found = lstatSync(directory);
  if (found.isSymbolicLink() && !mayBeLink) {
    throw new HarnessError("log", `${directory} is a symbolic link. Replace it with a directory.`, { option });
  }
  if (!found.isDirectory() && !found.isSymbolicLink()) {
    throw new HarnessError("log", `${directory} is not a directory. Move it away.`, { option });
  }
  // Check and change the same descriptor: between two uses of a path, another process may put a link there.
  const fd = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY | (mayBeLink ? 0 : constants.O_NOFOLLOW));
  try {
    const { uid, mode } = fstatSync(fd);
    const self = process.geteuid?.() ?? uid;
    if (uid !== self && self !== 0) throw new HarnessError("log", `The directory ${directory} belongs to another user.`, { option });
    if ((mode & 0o077) !== 0) fchmodSync(fd, mode & 0o7700);
  } finally {
    closeSync(fd);
  }
  accessSync(directory, constants.W_OK | constants.X_OK);
}

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

function home(): string {
  try {
    const path = absolute(homedir());
    if (path !== undefined) return path;
  } catch {
    // No entry for this user: containers run under any uid.
  }
  throw new HarnessError("log", `There is no home directory to store runs in.`, { option });
}
