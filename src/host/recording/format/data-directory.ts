import { accessSync, chmodSync, closeSync, constants, fchmodSync, fstatSync, lstatSync, mkdirSync, openSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { codeOf, HarnessError } from "../../../pure/base/index.ts";
import { logError } from "../../files/index.ts";

/** Where runs are kept. Nothing is created by asking. */
export interface DataDirectory {
  readonly root: string;
  readonly runs: string;
  readonly sessions: string;
}

/** `$XDG_DATA_HOME/harness`, by default `~/.local/share/harness`. A relative variable counts as unset, as XDG has it. */
export function dataDirectory(env: NodeJS.ProcessEnv): DataDirectory {
  return dataDirectoryAt(join(absolute(env["XDG_DATA_HOME"]) ?? join(absolute(env["HOME"]) ?? home(), ".local/share"), "harness"));
}

export function dataDirectoryAt(root: string): DataDirectory {
  return { root, runs: join(root, "runs"), sessions: join(root, "sessions") };
}

const REMEDY = "set XDG_DATA_HOME to a directory that you can write";

/**
 * After this the directory exists, is ours, and is nobody else's to read: 0700, also what had to be created above it, whatever
 * the umask. One that others could read is tightened; one that is another user's, or a link, is refused. Only the root of the
 * data directory `mayBeLink`: people move it to a bigger disk.
 */
export function ensurePrivate(path: string, { mayBeLink = false }: { readonly mayBeLink?: boolean } = {}): void {
  const directory = resolve(path); // a slash at its end would follow a link
  try {
    if (lstatSync(directory, { throwIfNoEntry: false }) === undefined) create(directory);
    secure(directory, mayBeLink);
  } catch (error) {
    throw error instanceof HarnessError ? error : logError(`Cannot use the directory ${directory}`, error, REMEDY);
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
    if (codeOf(error) === "EEXIST") return; // somebody was faster
    throw error;
  }
  chmodSync(directory, 0o700); // a umask may have taken even our own rights
}

function secure(directory: string, mayBeLink: boolean): void {
  const found = lstatSync(directory);
  if (found.isSymbolicLink() && !mayBeLink) {
    throw new HarnessError("log", `${directory} is a symbolic link; put a directory in its place, or ${REMEDY}.`);
  }
  if (!found.isDirectory() && !found.isSymbolicLink()) {
    throw new HarnessError("log", `${directory} is not a directory; move it away, or ${REMEDY}.`);
  }
  // What is judged is what is changed: between two looks at a path somebody may put a link there.
  const fd = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY | (mayBeLink ? 0 : constants.O_NOFOLLOW));
  try {
    const { uid, mode } = fstatSync(fd);
    const self = process.geteuid?.() ?? uid;
    if (uid !== self && self !== 0) throw new HarnessError("log", `The directory ${directory} belongs to another user; ${REMEDY}.`);
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
    // No entry for this user: containers run under any number.
  }
  throw new HarnessError("log", `There is no home directory to keep runs in; ${REMEDY}.`);
}
