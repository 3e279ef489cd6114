import type { FileChange, FilesChangedBody } from "../../events/index.ts";
import type { Account } from "./account.ts";
import { isNoise } from "./places.ts";

/** Times of commands are exact to ten milliseconds, and those of files to one tick of the kernel. */
const BEFORE_MS = 20;
const AFTER_MS = 50;

/** As many entries as the recorder lists: behind a full list there may be others. */
const FULL = 50;

/** When an entry last changed: its own time, the latest possible one, or undefined if that is not known. */
export function changedAt({ path, was, kind, mtime }: FileChange, { touched }: FilesChangedBody): number | undefined {
  if (touched === undefined) return kind === "deleted" || kind === "renamed" ? undefined : mtime;
  const at = (name: string) => touched.find((each) => each.path === name)?.at;
  const bound = touched.length < FULL ? 0 : (touched.at(-1)?.at ?? 0);
  if (kind === "deleted") return at(folderOf(path)) ?? bound;
  const own = at(path) ?? at(`${path}/`) ?? Math.max(bound, mtime ?? 0);
  return was === undefined ? own : Math.max(own, at(folderOf(was)) ?? bound);
}

function folderOf(path: string): string {
  const end = path.lastIndexOf("/");
  return end === -1 ? "./" : `${path.slice(0, end)}/`;
}

/** When a command ran. */
interface Span {
  readonly startedAt: number;
  readonly durationMs: number;
}

export interface LateChange {
  readonly path: string;
  /** `rewritten`: written with the contents that it had before the run. */
  readonly kind: FileChange["kind"] | "rewritten";
  readonly change?: FileChange;
  /** Too close to call, or its time is not known. */
  readonly isUncertain: boolean;
}

/**
 * What changed in the workspace after a command ended, or perhaps while it ran. A directory changes with its entries: if none of them
 * changed late, it may have been exchanged for a while.
 */
export function changedSince({ startedAt, durationMs }: Span, { files }: Account): readonly LateChange[] {
  if (files === undefined) return [];
  const end = startedAt + durationMs;
  const { changes, touched = [] } = files.body;
  const known = new Set(changes.flatMap(({ path, was }) => (was === undefined ? [path] : [path, was])));
  const folders = new Set(
    changes.map(({ path }) => path).flatMap((path) => (changes.some((each) => each.path.startsWith(`${path}/`)) ? [path] : [])),
  );
  const from = Math.min(end - BEFORE_MS, startedAt + AFTER_MS);
  const late = (at: number | undefined) => at === undefined || at > from;
  const isUncertain = (at: number | undefined) => at === undefined || at <= end + AFTER_MS;
  const changed = changes
    .filter((change) => !isNoise(change.path) && !folders.has(change.path))
    .map((change) => ({ change, at: changedAt(change, files.body) }))
    .filter(({ at }) => late(at))
    .map(({ change, at }): LateChange => ({ path: change.path, kind: change.kind, change, isUncertain: isUncertain(at) }));
  const rewritten = touched
    .filter(({ path, at }) => !path.endsWith("/") && !known.has(path) && late(at))
    .map(({ path, at }): LateChange => ({ path, kind: "rewritten", isUncertain: isUncertain(at) }));
  const places = new Set(
    [...changed, ...rewritten].flatMap(({ path, change }) => [path, ...(change?.was === undefined ? [] : [change.was])]).map(folderOf),
  );
  const exchanged = touched
    .filter(({ path, at }) => path.endsWith("/") && !places.has(path) && !known.has(path.slice(0, -1)) && at > end - BEFORE_MS)
    .map(({ path }): LateChange => ({ path, kind: "rewritten", isUncertain: true }));
  return [...changed, ...rewritten, ...exchanged];
}
