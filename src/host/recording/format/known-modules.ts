import { closeSync, constants, existsSync, fchmodSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { parseObject } from "../../../pure/base/index.ts";
import { openToRead } from "../../files/index.ts";
import { neededVerbatim, own, type SafeText, writeFully } from "../../sink/index.ts";
import type { DataDirectory } from "./data-directory.ts";

/** A user-defined agent module, with its hash from when the user named it. */
export interface Module {
  readonly path: string;
  readonly sha256: string;
}

/** Only the newest entries are read if there are more. */
const MOST_BYTES = 1024 * 1024;

/**
 * Adds to `modules.jsonl` in the data directory: the modules that a user here has run an agent with, by naming them. A recording also names
 * a module but may come from anywhere, so only modules in this list run because a recording says so.
 */
export function rememberModule(data: DataDirectory, { path, sha256 }: Module): void {
  try {
    if (!isRemembered(data, { path, sha256 })) append(fileOf(data), neededVerbatim(JSON.stringify({ path, sha256 })));
  } catch {
    // Then the user must name it again; that is not worth failing a run.
  }
}

function append(file: string, line: SafeText): void {
  const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW } = constants;
  const fd = openSync(file, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
  try {
    fchmodSync(fd, 0o600);
    writeFully(fd, own`\n${line}\n`); // the leading newline ends a line that a killed process left unfinished
  } finally {
    closeSync(fd);
  }
}

export function isRemembered(data: DataDirectory, { path, sha256 }: Module): boolean {
  return textOf(fileOf(data))
    .split("\n")
    .some((line) => {
      const entry = parseObject(line); // undefined for a torn line
      return entry !== undefined && entry["path"] === path && entry["sha256"] === sha256;
    });
}

function fileOf({ root }: DataDirectory): string {
  return join(root, "modules.jsonl");
}

function textOf(path: string): string {
  const fd = existsSync(path) ? openToRead(path) : undefined;
  if (fd === undefined) return "";
  try {
    const { size } = fstatSync(fd);
    const buffer = Buffer.alloc(Math.min(size, MOST_BYTES));
    return buffer.toString("utf8", 0, readSync(fd, buffer, 0, buffer.length, size - buffer.length));
  } finally {
    closeSync(fd);
  }
}
