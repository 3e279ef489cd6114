import { closeSync, fstatSync, readSync } from "node:fs";
import { openToRead } from "../../host/files/index.ts";
import { findFingerprints, OUTPUT_FILES, type RunManifest, runPaths } from "../../host/recording/index.ts";
import { type FindSecrets, masker } from "../../host/secrets/index.ts";
import type { Stream } from "../../pure/events/index.ts";

/** The most bytes in one response. */
export const MOST_RAW = 4 * 1024 * 1024;

/**
 * Raw output by offset and length. Undefined if the bytes are gone because the agent truncated its own output. Secrets that are still in
 * the files are masked, also if the range cuts one in two.
 */
export function rawBytes(manifest: RunManifest, directory: string, stream: Stream, offset: number, length: number): Buffer | undefined {
  const cut = manifest.sealed?.truncated?.filter((each) => each.stream === stream).at(-1);
  if (cut !== undefined && offset < cut.offset) return undefined;
  const fd = openToRead(runPaths(directory)[stream]);
  if (fd === undefined) return undefined;
  try {
    const start = offset - (cut?.base ?? 0);
    const size = manifest.sealed?.files[OUTPUT_FILES[stream]]?.bytes ?? fstatSync(fd).size;
    const end = start + Math.max(0, Math.min(length, MOST_RAW, size - start));
    const secrets = secretsIn(manifest);
    if (secrets === undefined) return read(fd, start, end);
    const from = Math.max(0, start - secrets.longest);
    const mask = masker(secrets);
    // The masker holds back a possible start of a secret at the end of the file.
    const masked = Buffer.from(mask.push(read(fd, from, Math.min(size, end + secrets.longest))).bytes);
    return masked.subarray(start - from, end - from);
  } finally {
    closeSync(fd);
  }
}

function read(fd: number, start: number, end: number): Buffer {
  const buffer = Buffer.alloc(Math.max(0, end - start));
  return buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, start));
}

function secretsIn({ sealed, secrets }: RunManifest): FindSecrets | undefined {
  if (sealed !== undefined || secrets.fingerprints === undefined) return undefined;
  const found = findFingerprints(secrets.fingerprints);
  return found.longest === 0 ? undefined : found;
}
