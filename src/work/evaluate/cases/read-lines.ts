import { closeSync, openSync, readSync } from "node:fs";
import { decode } from "../../../host/recording/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import type { Line } from "../../../pure/events/index.ts";
import { lineSplitter } from "../../../pure/pipeline/index.ts";

const CHUNK = 1024 * 1024;

/** The lines of a file, read in chunks: even a file of gigabytes is never in memory. */
export function* readLines(path: string): Generator<Line> {
  const fd = openInput(path);
  try {
    const splitter = lineSplitter(decode);
    const chunk = Buffer.allocUnsafe(CHUNK);
    for (let read = readInto(fd, chunk, path); read > 0; read = readInto(fd, chunk, path)) yield* splitter.push(chunk.subarray(0, read));
    yield* splitter.end();
  } finally {
    closeSync(fd);
  }
}

export function readStretch(path: string, offset: number, length: number): string {
  const fd = openInput(path);
  try {
    const bytes = Buffer.alloc(length);
    let filled = 0;
    while (filled < length) {
      const read = readSync(fd, bytes, filled, length - filled, offset + filled);
      if (read === 0) break;
      filled += read;
    }
    return bytes.toString("utf8", 0, filled);
  } finally {
    closeSync(fd);
  }
}

function openInput(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    throw unreadable(path, error);
  }
}

function readInto(fd: number, chunk: Buffer, path: string): number {
  try {
    return readSync(fd, chunk, 0, chunk.length, null);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): HarnessError {
  const { code = "" } = error as { code?: string };
  const why = { ENOENT: "there is no such file", EISDIR: "it is a directory", EACCES: "permission denied" }[code] ?? String(error);
  return new HarnessError("input", `Cannot read ${path}: ${why}.`, { cause: error });
}
