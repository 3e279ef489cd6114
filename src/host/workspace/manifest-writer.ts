import { createHash } from "node:crypto";
import { closeSync, ftruncateSync, unlinkSync } from "node:fs";
import { logError, openPrivate } from "../files/index.ts";
import { maskedLater, writeFully } from "../sink/index.ts";
import { type Entry, MANIFEST_VERSION, type Manifest, type ManifestEnd } from "./manifest.ts";
import type { EntryType, Unlisted } from "./names-in.ts";

const BLOCK = 128 * 1024;
export const SHOWN = 100;

/** Separates the part of an entry that the digest covers from the rest. No string contains it: quotes in strings are escaped. */
export const TIMES = ',"mtime":';

/** A fast path for nearly every file, with a path that needs no escaping: half the time of JSON.stringify. */
function plainFile({ path, type, mode, size, sha256, names, changing, unkept, mtime }: Entry): string | undefined {
  if (sha256 === undefined || mtime === undefined || names !== undefined || changing !== undefined || unkept !== undefined)
    return undefined;
  return PLAIN.test(path) ? `{"path":"${path}","type":"${type}","mode":"${mode}","size":${size},"sha256":"${sha256}"` : undefined;
}

const PLAIN = /^[ !#-[\]-~]*$/;

/** Writes a manifest as a stream, so the tree need not fit in memory. */
export interface ManifestWriter {
  entry(entry: Entry): void;
  ignored(): void;
  root(reason: Unlisted | "lost"): void;
  finish(bytes: number): Manifest;
  /** Instead of `finish`: removes the file. */
  abandon(): void;
}

/** The file must not exist. It gets mode 0600. */
export function manifestWriter(path: string, rootMode: string, ignore: readonly string[]): ManifestWriter {
  const { fd } = openPrivate(path, { exclusive: true });
  const digest = createHash("sha256");
  const types: Partial<Record<EntryType, number>> = {};
  const counts = { entries: 0, unread: 0, unkept: 0, unlisted: 0, changing: 0, ignored: 0 };
  const skipped: { path: string; reason: string }[] = [];
  let digested = "";
  let root: Unlisted | "lost" | undefined;
  let text = `${JSON.stringify({ manifest: MANIFEST_VERSION, rootMode, ignore })}\n`;

  function flush(): void {
    const { error } = writeFully(fd, maskedLater(text));
    if (error !== undefined) throw logError(`Cannot write ${path}`, error);
    text = "";
  }

  function digestMore(): void {
    digest.update(digested);
    digested = "";
  }

  return {
    entry(entry) {
      counts.entries++;
      types[entry.type] = (types[entry.type] ?? 0) + 1;
      if (entry.unread !== undefined) counts.unread++;
      if (entry.unkept !== undefined) counts.unkept++;
      if (entry.unlisted !== undefined) counts.unlisted++;
      if (entry.changing) counts.changing++;
      const reason = entry.unread ?? entry.unlisted ?? entry.unkept;
      if (reason !== undefined && skipped.length < SHOWN) skipped.push({ path: entry.path, reason });
      const plain = plainFile(entry);
      if (plain === undefined) {
        const line = JSON.stringify(entry);
        const times = line.indexOf(TIMES);
        digested += times < 0 ? line : line.slice(0, times);
        text += `${line}\n`;
      } else {
        digested += plain;
        text += `${plain}${TIMES}${entry.mtime}}\n`;
      }
      if (text.length > BLOCK) {
        flush();
        digestMore();
      }
    },
    ignored() {
      counts.ignored++;
    },
    root(reason) {
      root ??= reason;
    },
    finish(bytes) {
      digestMore();
      const { entries, ...rest } = counts;
      const end: ManifestEnd = { entries, types, bytes, ...rest, ...(root && { root }), skipped, digest: digest.digest("hex") };
      text += `${JSON.stringify({ end })}\n`;
      flush();
      closeSync(fd);
      return { path, rootMode, ignore, end };
    },
    abandon() {
      ftruncateSync(fd);
      closeSync(fd);
      unlinkSync(path);
    },
  };
}
