import { basename } from "node:path";
import { comparePaths } from "./byte-path.ts";
import type { Change } from "./change.ts";
import type { Entry } from "./manifest.ts";
import type { Objects } from "./objects.ts";
import { similarity } from "./similarity.ts";

/** The same as in git. */
const ENOUGH = 0.5;
/** How many pairs are compared by contents, and the largest file compared. */
const PAIRS = 10_000;
const SIZE = 1024 * 1024;

interface Candidate {
  readonly change: Change;
  readonly file: Entry;
}

/** Merges a deleted and an added file with the same contents into one change, then those with similar contents, within limits. */
export function findRenames(changes: readonly Change[], objects?: Objects): Change[] {
  const gone = candidates(changes, "deleted", "before");
  const come = candidates(changes, "added", "after");
  const renamed = new Map<Change, Change>(); // the added one → the rename
  const used = new Set<Change>();
  const take = (from: Candidate, to: Candidate, share: number): void => {
    used.add(from.change).add(to.change);
    const { file: before } = from;
    renamed.set(to.change, { kind: "renamed", path: to.file.path, from: before.path, similarity: share, before, after: to.file });
  };
  const free = ({ change }: Candidate): boolean => !used.has(change);

  // Same contents and same name first, then same contents under a different name.
  for (const key of [({ file }: Candidate) => `${file.sha256} ${basename(file.path)}`, ({ file }: Candidate) => `${file.sha256}`]) {
    const waiting = new Map<string, Candidate[]>();
    for (const from of gone.filter(free).reverse()) queueOf(waiting, key(from)).push(from);
    for (const to of come.filter(free)) {
      const from = waiting.get(key(to))?.pop();
      if (from !== undefined) take(from, to, 1);
    }
  }
  if (objects !== undefined) bySimilarity(gone.filter(free), come.filter(free), objects, take);
  return changes
    .flatMap((change) => renamed.get(change) ?? (used.has(change) ? [] : [change]))
    .sort((a, b) => comparePaths(a.path, b.path));
}

function bySimilarity(
  gone: readonly Candidate[],
  come: readonly Candidate[],
  objects: Objects,
  take: (from: Candidate, to: Candidate, share: number) => void,
): void {
  if (gone.length * come.length > PAIRS) return;
  const contents = new Map<string, Buffer | undefined>();
  const likely = come
    .flatMap((to) => gone.map((from) => ({ from, to })))
    .filter(
      ({ from, to }) => Math.min(from.file.size ?? 0, to.file.size ?? 0) >= ENOUGH * Math.max(from.file.size ?? 0, to.file.size ?? 0),
    );
  const scored = likely.map(({ from, to }) => ({ from, to, share: shareOf(from.file, to.file) }));
  const used = new Set<Candidate>();
  for (const { from, to, share } of scored.filter(({ share }) => share >= ENOUGH).sort((a, b) => b.share - a.share)) {
    if (used.has(from) || used.has(to)) continue;
    used.add(from).add(to);
    take(from, to, share);
  }

  function shareOf(before: Entry, after: Entry): number {
    const old = read(before);
    const now = read(after);
    return old === undefined || now === undefined ? 0 : similarity(old, now);
  }

  function read({ sha256 = "", size = 0 }: Entry): Buffer | undefined {
    if (!contents.has(sha256))
      contents.set(
        sha256,
        size <= SIZE && objects.has(sha256) ? Buffer.concat(Array.from(objects.read(sha256), (piece) => Buffer.from(piece))) : undefined,
      );
    return contents.get(sha256);
  }
}

function queueOf(queues: Map<string, Candidate[]>, key: string): Candidate[] {
  const queue = queues.get(key) ?? [];
  queues.set(key, queue);
  return queue;
}

/** Empty files are all equal, so none counts as renamed. */
function candidates(changes: readonly Change[], kind: Change["kind"], side: "before" | "after"): Candidate[] {
  return changes.flatMap((change) => {
    const file = change[side];
    return change.kind === kind && file?.type === "file" && file.sha256 !== undefined && (file.size ?? 0) > 0 ? [{ change, file }] : [];
  });
}
