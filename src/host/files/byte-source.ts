import { closeSync, createReadStream, openSync } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { codeOf, errorWords, HarnessError } from "../../pure/base/index.ts";
import { bytesOf } from "./open-to-read.ts";

export type ByteSource = string | URL | Uint8Array | AsyncIterable<Uint8Array>;

export function isSource(value: unknown): value is ByteSource {
  if (typeof value === "string" || value instanceof URL || value instanceof Uint8Array) return true;
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

export interface Chunk {
  /** Valid until the next chunk is requested. */
  readonly bytes: Uint8Array;
  /** When the bytes were observed: a file's modification time, or the time they arrived from a stream. */
  readonly at: number;
}

export interface OpenSource {
  /** A file's modification time, otherwise now. */
  readonly startedAt: number;
  chunks(): AsyncIterable<Chunk>;
}

/** The latest time a Date can hold. */
const LAST_MOMENT = 8.64e15;

/** Rejects with one sentence before anything is derived if the file is missing, is a directory or is unreadable. */
export async function openSource(source: ByteSource, what = "input"): Promise<OpenSource> {
  if (typeof source === "string" || source instanceof URL) return openFile(source, what);
  const startedAt = Date.now();
  if (source instanceof Uint8Array) return { startedAt, chunks: () => once({ bytes: source, at: startedAt }) };
  return { startedAt, chunks: () => arrivals(source) };
}

async function openFile(path: string | URL, what: string): Promise<OpenSource> {
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) throw new HarnessError("input", `${path} is a directory. Pass the file that holds the agent's output.`);
    // A named pipe, such as `<(…)`, is opened only once: opening and closing it again would end its writer.
    if (stats.isFIFO() || stats.isCharacterDevice()) return { startedAt: Date.now(), chunks: () => pipeChunks(path, what) };
    if (!stats.isFile()) throw new HarnessError("input", `${path} is neither a regular file nor a pipe. Pass its bytes as a stream.`);
    await access(path, constants.R_OK);
    const at = Math.min(Math.max(0, Math.trunc(stats.mtimeMs)), LAST_MOMENT); // mtimeMs has fractions and can be any number
    return { startedAt: at, chunks: () => fileChunks(path, at, what) };
  } catch (error) {
    throw error instanceof HarnessError ? error : unreadable(error, path, what);
  }
}

async function* pipeChunks(path: string | URL, what: string): AsyncIterable<Chunk> {
  try {
    yield* arrivals(createReadStream(path));
  } catch (error) {
    throw error instanceof HarnessError ? error : unreadable(error, path, what);
  }
}

/** Reads in the same thread: handing a read to another one and waiting for it costs more than the read. */
async function* fileChunks(path: string | URL, at: number, what: string): AsyncIterable<Chunk> {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    for (const bytes of bytesOf(file)) yield { bytes, at };
  } catch (error) {
    throw error instanceof Error && "code" in error ? unreadable(error, path, what) : error;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

async function* once(chunk: Chunk): AsyncIterable<Chunk> {
  yield chunk;
}

async function* arrivals(source: AsyncIterable<Uint8Array>): AsyncIterable<Chunk> {
  for await (const bytes of source) {
    if (!(bytes instanceof Uint8Array))
      throw new HarnessError("input", "The stream yields text. Pass a stream of bytes, without an encoding.");
    yield { bytes, at: Date.now() };
  }
}

function unreadable(error: unknown, path: string | URL, what: string): HarnessError {
  const code = codeOf(error);
  const why = reasons[code] ?? errorWords(error);
  return new HarnessError("input", `Cannot read the ${what} ${path}: ${why}.`, { cause: error });
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ENOTDIR: "a part of the path is not a directory",
  ELOOP: "too many symbolic links",
  ENAMETOOLONG: "the path is too long",
  EIO: "the disk reports an error",
  ERR_INVALID_ARG_VALUE: "the path is not valid",
};
