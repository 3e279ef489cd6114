import { closeSync, fstatSync, readSync } from "node:fs";
import type { Stream } from "../core/record.ts";
import { findFingerprints } from "../store/fingerprints.ts";
import { masker } from "../store/masker.ts";
import { openToRead } from "../store/open-to-read.ts";
import type { RunManifest } from "../store/run-manifest.ts";
import { OUTPUT_FILES, runPaths } from "../store/run-paths.ts";

/** More than this is not shown at a time. */
export const MOST_RAW = 4 * 1024 * 1024;

/**
 * Bytes of what the agent printed, by their place in the stream. Undefined where they are gone: the agent has truncated its own
 * output. Secrets are masked as long as the files hold them; none has a newline, so that whole lines are masked wholly.
 */
export function rawBytes(manifest: RunManifest, directory: string, stream: Stream, offset: number, length: number): Buffer | undefined {
  const cut = manifest.sealed?.truncated?.filter((each) => each.stream === stream).at(-1);
  if (cut !== undefined && offset < cut.offset) return undefined;
  const fd = openToRead(runPaths(directory)[stream]);
  if (fd === undefined) return undefined;
  try {
    const start = offset - (cut?.base ?? 0);
    const size = manifest.sealed?.files[OUTPUT_FILES[stream]]?.bytes ?? fstatSync(fd).size;
    const buffer = Buffer.alloc(Math.max(0, Math.min(length, MOST_RAW, size - start)));
    const bytes = buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, start));
    return masked(bytes, manifest);
  } finally {
    closeSync(fd);
  }
}

function masked(bytes: Buffer, { sealed, secrets }: RunManifest): Buffer {
  if (sealed !== undefined || secrets.fingerprints === undefined) return bytes;
  const mask = masker(findFingerprints(secrets.fingerprints));
  return Buffer.concat([mask.push(bytes).bytes, mask.end().bytes]);
}
