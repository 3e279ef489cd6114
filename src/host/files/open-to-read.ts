import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { codeOf, HarnessError } from "../../pure/base/index.ts";
import { reasonOf } from "./log-error.ts";

/** Opens a regular file for reading. Does not follow a link and does not wait on a pipe. Undefined if the file does not exist. */
export function openToRead(path: string): number | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!fstatSync(fd).isFile()) throw new HarnessError("input", `Cannot read ${path}: it is not a regular file.`);
    return fd;
  } catch (error) {
    if (fd !== undefined) closeSync(fd);
    if (error instanceof HarnessError) throw error;
    if (codeOf(error) === "ENOENT") return undefined;
    throw new HarnessError("input", `Cannot read ${path}: ${reasonOf(error)}.`, { cause: error });
  }
}

const PIECE = 256 * 1024;

/** The bytes of an open file, from its start. Each piece is valid until the next one is requested. */
export function* bytesOf(fd: number): Generator<Uint8Array, void> {
  const buffer = Buffer.allocUnsafe(Math.min(PIECE, fstatSync(fd).size + 1)); // most files are short
  let position = 0;
  for (;;) {
    const count = readSync(fd, buffer, 0, buffer.length, position);
    if (count === 0) return;
    position += count;
    yield buffer.subarray(0, count);
  }
}
