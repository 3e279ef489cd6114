import { HarnessError } from "../../pure/base/index.ts";
import { comparePaths, insideGit } from "./byte-path.ts";
import type { Change, ChangeKind } from "./change.ts";
import type { Entry, Manifest } from "./manifest.ts";
import { entryOf, linesOf } from "./manifest-file.ts";
import type { Objects } from "./objects.ts";
import { findRenames } from "./renames.ts";

export interface Comparison {
  readonly before: Manifest;
  /** Ordered by path. */
  readonly changes: readonly Change[];
  readonly counts: Readonly<Record<ChangeKind, number>>;
  /** Files that neither side could read but that kept their times and inode. */
  readonly untouched: number;
}

/** With `objects`, renames are also found by similar contents; otherwise only by equal contents. */
export function compare(before: Manifest, after: Manifest, { objects }: { readonly objects?: Objects } = {}): Comparison {
  if (before.ignore.join("\n") !== after.ignore.join("\n"))
    throw new HarnessError("usage", "The two snapshots have different ignore rules. Take both with the same `ignore`.");
  const found: Change[] = [];
  const unseen = { before: unlisted(before), after: unlisted(after) };
  let untouched = 0;
  for (const [old, now] of pairs(before, after)) {
    unseen.before.pass(old);
    unseen.after.pass(now);
    if (old !== undefined && now !== undefined) {
      const kind = difference(old, now);
      if (kind === "untouched") untouched++;
      else if (kind !== undefined) found.push({ kind, path: now.path, before: old, after: now });
    } else if (now !== undefined) {
      found.push({ kind: unseen.before.hides(now.path) ? "unknown" : "added", path: now.path, after: now });
    } else if (old !== undefined) {
      found.push({ kind: unseen.after.hides(old.path) ? "unknown" : "deleted", path: old.path, before: old });
    }
  }
  const changes = findRenames(found, objects);
  const counts = { added: 0, modified: 0, deleted: 0, renamed: 0, mode: 0, type: 0, unknown: 0 };
  for (const { kind } of changes) counts[kind]++;
  return { before, changes, counts, untouched };
}

/** The first changes for people to read, those outside any `.git` first, and the total count. */
export function topChanges({ changes }: Comparison, top: number): { readonly total: number; readonly top: readonly Change[] } {
  const outside = changes.filter(({ path }) => !insideGit(path));
  const inside = changes.filter(({ path }) => insideGit(path));
  return { total: changes.length, top: [...outside, ...inside].slice(0, top) };
}

/** Both manifests in their common order. Equal lines are equal entries and are not parsed unless something in them is unknown. */
function* pairs(before: Manifest, after: Manifest): Generator<readonly [Entry | undefined, Entry | undefined], void> {
  const olds = linesOf(before);
  const nows = linesOf(after);
  let old = olds.next();
  let now = nows.next();
  while (!old.done || !now.done) {
    if (!old.done && !now.done && old.value === now.value && !old.value.includes('"un')) {
      old = olds.next();
      now = nows.next();
      continue;
    }
    const left = old.done ? undefined : entryOf(old.value, before);
    const right = now.done ? undefined : entryOf(now.value, after);
    const order = left === undefined ? 1 : right === undefined ? -1 : comparePaths(left.path, right.path);
    yield [order <= 0 ? left : undefined, order >= 0 ? right : undefined];
    if (order <= 0) old = olds.next();
    if (order >= 0) now = nows.next();
  }
}

function difference(old: Entry, now: Entry): ChangeKind | "untouched" | undefined {
  if (old.type !== now.type) return "type";
  if (old.type === "file" && (old.unread !== undefined || now.unread !== undefined)) {
    if (old.size !== undefined && now.size !== undefined && old.size !== now.size) return "modified";
    const touched = old.identity === undefined || JSON.stringify([old.identity, old.mtime]) !== JSON.stringify([now.identity, now.mtime]);
    return touched ? "unknown" : "untouched";
  }
  if (old.sha256 !== now.sha256 || old.link !== now.link) return "modified";
  return old.mode === now.mode ? undefined : "mode";
}

/** Knows where a manifest cannot say that a file was absent. Entries pass in order, a directory before its contents. */
function unlisted({ end }: Manifest): { pass(entry: Entry | undefined): void; hides(path: string): boolean } {
  let last: string | undefined;
  return {
    pass(entry) {
      if (entry?.unlisted !== undefined && !(last !== undefined && entry.path.startsWith(last))) last = `${entry.path}/`;
    },
    hides: (path) => end.root !== undefined || (last !== undefined && path.startsWith(last)),
  };
}
