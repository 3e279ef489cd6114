import { closeSync, fstatSync, readSync } from "node:fs";
import {
  anyObject,
  count,
  fits,
  flag,
  HarnessError,
  type JsonObject,
  list,
  number,
  object,
  optional,
  parseObject,
  spelled,
  text,
} from "../../pure/base/index.ts";
import { bytesOf, openToRead } from "../files/index.ts";
import { type Entry, MANIFEST_VERSION, type Manifest, type ManifestEnd } from "./manifest.ts";

const FIRST = 64 * 1024;

/** Reads the first and the last line; `entriesOf` reads the lines between. */
export function openManifest(path: string): Manifest {
  return reading(path, (fd) => {
    const first = objectOf(path, firstLine(fd));
    const { end } = objectOf(path, lastLine(fd));
    if (first["manifest"] !== MANIFEST_VERSION || typeof first["rootMode"] !== "string")
      throw new HarnessError("input", `${path} is not a manifest of version ${MANIFEST_VERSION}. Take the snapshot again.`);
    if (end === undefined)
      throw new HarnessError("input", `The manifest ${path} has no last line, so the snapshot did not finish. Take it again.`);
    const ignore = Array.isArray(first["ignore"]) ? first["ignore"].map(spelled) : [];
    if (!fits(manifestEnd, end)) throw damaged(path);
    return { path, rootMode: first["rootMode"], ignore, end: end as ManifestEnd };
  });
}

/** The entries, in order, in constant memory. */
export function* entriesOf(manifest: Manifest): Generator<Entry, void> {
  for (const line of linesOf(manifest)) yield entryOf(line, manifest);
}

/** The unparsed lines, one character per byte: equal lines need no parsing. */
export function* linesOf({ path }: Manifest): Generator<string, void> {
  const fd = opened(path);
  try {
    let rest = "";
    for (const piece of bytesOf(fd)) {
      const lines = (rest + Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString("latin1")).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line.startsWith('{"path":')) yield line;
    }
  } finally {
    closeSync(fd);
  }
}

export function entryOf(line: string, { path }: Manifest): Entry {
  const entry = objectOf(path, Buffer.from(line, "latin1").toString());
  if (!fits(manifestEntry, entry)) throw damaged(path);
  return entry as unknown as Entry;
}

/** What our code relies on: the agent can reach the file, and edit it. */
const manifestEntry = object({
  path: text,
  type: text,
  mode: optional(text),
  size: optional(count),
  sha256: optional(text),
  link: optional(text),
  mtime: optional(number),
  names: optional(count),
  changing: optional(flag),
  unread: optional(text),
  identity: optional(object({ ctime: number, inode: number })),
  unkept: optional(text),
  unlisted: optional(text),
});
/** Whether a manifest has only the fields that we write. */
export function isExact(value: Entry | ManifestEnd): boolean {
  return "path" in value ? fits(manifestEntry, value, { strict: true }) : fits(manifestEnd, value, { strict: true });
}

const manifestEnd = object({
  entries: count,
  types: anyObject,
  bytes: count,
  unread: count,
  unkept: count,
  unlisted: count,
  changing: count,
  ignored: count,
  root: optional(text),
  skipped: list(object({ path: text, reason: text })),
  digest: text,
});

function firstLine(fd: number): string {
  const { size } = fstatSync(fd);
  for (let length = Math.min(size, FIRST); ; length = Math.min(size, length * 4)) {
    const buffer = Buffer.allocUnsafe(length);
    const end = buffer.subarray(0, readSync(fd, buffer, 0, length, 0)).indexOf(0x0a);
    if (end >= 0 || length === size) return buffer.toString("utf8", 0, Math.max(end, 0));
  }
}

function lastLine(fd: number): string {
  const { size } = fstatSync(fd);
  for (let length = Math.min(size, FIRST); ; length = Math.min(size, length * 4)) {
    const buffer = Buffer.allocUnsafe(length);
    const end = readSync(fd, buffer, 0, length, size - length) - 1;
    if (buffer[end] !== 0x0a) return ""; // the file was cut off
    const start = buffer.lastIndexOf(0x0a, end - 1);
    if (start >= 0 || length === size) return buffer.toString("utf8", start + 1, end);
  }
}

function objectOf(path: string, line: string): JsonObject {
  const value = parseObject(line);
  if (value === undefined) throw damaged(path);
  return value;
}

function damaged(path: string): HarnessError {
  return new HarnessError("input", `The manifest ${path} is damaged or cut off. Take the snapshot again.`);
}

function reading<T>(path: string, use: (fd: number) => T): T {
  const fd = opened(path);
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}

function opened(path: string): number {
  const fd = openToRead(path);
  if (fd === undefined) throw new HarnessError("input", `Manifest not found: ${path}. Pass the file that a snapshot wrote.`);
  return fd;
}
