import { createHash } from "node:crypto";
import type { Entry, Manifest } from "./manifest.ts";
import { entryOf, isExact, linesOf } from "./manifest-file.ts";
import { SHOWN, TIMES } from "./manifest-writer.ts";

/** Why the entries of a manifest are not what its last line counts and digests; undefined if they are. Times are not part of the digest. */
export function manifestFlaw(manifest: Manifest): string | undefined {
  const digest = createHash("sha256");
  const types: Record<string, number> = {};
  const counts = { entries: 0, unread: 0, unkept: 0, unlisted: 0, changing: 0 };
  const skipped: { readonly path: string; readonly reason: string }[] = [];
  for (const text of linesOf(manifest)) {
    const entry: Entry = entryOf(text, manifest);
    if (!isExact(entry)) return "an entry has a field that is not one of a manifest";
    counts.entries++;
    types[entry.type] = (types[entry.type] ?? 0) + 1;
    for (const key of ["unread", "unkept", "unlisted", "changing"] as const) if (entry[key] !== undefined) counts[key]++;
    const reason = entry.unread ?? entry.unlisted ?? entry.unkept;
    if (reason !== undefined && skipped.length < SHOWN) skipped.push({ path: entry.path, reason });
    const line = Buffer.from(text, "latin1").toString();
    const times = line.indexOf(TIMES);
    digest.update(times < 0 ? line : line.slice(0, times));
  }
  const { end } = manifest;
  const isCounted = Object.entries(counts).every(([key, count]) => end[key as keyof typeof counts] === count);
  const counted: Readonly<Record<string, unknown>> = { ...end.types };
  const isTyped = Object.keys({ ...types, ...counted }).every((type) => counted[type] === types[type]);
  if (!isExact(end)) return "its last line has a field that is not one of a manifest";
  if (!isCounted || !isTyped) return "its last line does not count its entries";
  if (JSON.stringify(end.skipped) !== JSON.stringify(skipped)) return "its last line lists other entries than those that were not read";
  if (manifest.ignore.length === 0 && end.ignored > 0) return "it ignores nothing, and its last line counts something ignored";
  if (!/^[0-7]{4}$/.test(manifest.rootMode)) return "its first line has no permissions of the workspace";
  return end.digest === digest.digest("hex") ? undefined : "its digest does not match its entries";
}
