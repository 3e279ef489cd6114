import { randomBytes } from "node:crypto";
import { closeSync, fchmodSync, fstatSync, fsyncSync, openSync, readSync, realpathSync, renameSync, rmSync } from "node:fs";
import { logError } from "../../../host/files/index.ts";
import { hideSecretsIn } from "../../../host/secrets/index.ts";
import { json, recorded, type SafeBytes, type SafeText, writeFully } from "../../../host/sink/index.ts";
import type { ReadLine } from "./read-results.ts";

const CHUNK = 1024 * 1024;

/** A line of a results file, and what takes its place. */
export interface Replacement extends Pick<ReadLine, "offset" | "length"> {
  readonly by: object;
}

/** Replaces lines of a results file in one step: a reader finds either all old lines or all new ones. Every other line stays byte for byte. */
export function replaceLines(path: string, replacements: readonly Replacement[]): void {
  if (replacements.length === 0) return;
  const file = realpathSync(path);
  const temporary = `${file}.tmp-${randomBytes(8).toString("hex")}`;
  const from = openSync(file, "r");
  try {
    const to = openSync(temporary, "wx", 0o600);
    try {
      const { size, mode } = fstatSync(from);
      let at = 0;
      for (const { offset, length, by } of replacements.toSorted((a, b) => a.offset - b.offset)) {
        copy(from, to, at, offset);
        put(to, json(hideSecretsIn(by)));
        at = offset + length;
      }
      copy(from, to, at, size);
      fchmodSync(to, mode & 0o777);
      fsyncSync(to);
    } finally {
      closeSync(to);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw logError(`Cannot write ${path}`, error);
  } finally {
    closeSync(from);
  }
}

function copy(from: number, to: number, start: number, end: number): void {
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(0, end - start)));
  for (let at = start; at < end; ) {
    const read = readSync(from, chunk, 0, Math.min(chunk.length, end - at), at);
    if (read === 0) return;
    put(to, recorded(chunk.subarray(0, read)));
    at += read;
  }
}

function put(to: number, bytes: SafeText | SafeBytes): void {
  const { error } = writeFully(to, bytes);
  if (error !== undefined) throw error;
}
