import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from "node:fs";
import { codeOf, errorWords, HarnessError } from "../../pure/base/index.ts";

/** Settings fill a screen or two; a larger file is something else. */
const LARGEST = 64 * 1024;

/** The contents of a settings file, and the file's identity under any path. */
export interface ConfigText {
  readonly text: string;
  readonly identity: string;
}

/** Undefined if missing. Opened without waiting and read only if regular: anyone may have put a pipe or a device there. */
export function readConfigFile(path: string): ConfigText | undefined {
  const fd = open(path);
  if (fd === undefined) return undefined;
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw new HarnessError("input", `${path} is not a regular file. Settings are read from a file with this name.`);
    if (stats.size > LARGEST) throw new HarnessError("input", `${path} is too large for settings (more than ${LARGEST / 1024} KiB).`);
    return { text: decoded(contents(fd), path), identity: identityOf(stats) };
  } catch (error) {
    if (error instanceof HarnessError) throw error;
    throw unreadable(path, error);
  } finally {
    closeSync(fd);
  }
}

const UNREACHABLE = new Set(["EACCES", "ELOOP", "ENAMETOOLONG"]);

function open(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (UNREACHABLE.has(code) && !isThere(path)) return undefined; // a parent directory is unreachable
    throw unreadable(path, error);
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** Reads one byte more than is allowed, enough to see that a file has grown meanwhile. */
function contents(fd: number): Buffer {
  const buffer = Buffer.alloc(LARGEST + 1);
  let length = 0;
  while (length < buffer.length) {
    const read = readSync(fd, buffer, length, buffer.length - length, null);
    if (read === 0) break;
    length += read;
  }
  return buffer.subarray(0, length);
}

function decoded(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new HarnessError("input", `${path} is not valid UTF-8, which TOML requires.`, { cause: error });
  }
}

function identityOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

function unreadable(path: string, error: unknown): HarnessError {
  const why = reasons[codeOf(error)] ?? errorWords(error);
  return new HarnessError("input", `Cannot read the settings in ${path}: ${why}. Make it readable or remove it.`, { cause: error });
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  ELOOP: "its symbolic links form a loop",
  EISDIR: "it is a directory",
  ENXIO: "it is not a regular file",
  EIO: "the device reports an error",
};
