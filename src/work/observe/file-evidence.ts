import { mkdirSync, readFileSync, realpathSync, rmdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileSeal, maskFile } from "../../host/recording/index.ts";
import { type FindSecrets, maskBytes } from "../../host/secrets/index.ts";
import {
  type Comparison,
  compare,
  entriesOf,
  type History,
  historyOf,
  type Limits,
  type Manifest,
  type Objects,
  openObjects,
  patch,
  snapshot,
  topChanges,
  uncommitted,
} from "../../host/workspace/index.ts";
import { codeOf, errorWords } from "../../pure/base/index.ts";
import { testFilesIn, weakenedIn } from "../../pure/checks/index.ts";
import type { FileChange, FileRef, FilesChangedBody } from "../../pure/events/index.ts";
import { isNoise } from "../../pure/views/index.ts";
import { lookUp } from "./look-up.ts";
import { unlock } from "./out-directory.ts";

export interface FileEvidenceOptions {
  readonly workspace: string;
  /** The run's own directory; the manifests and the patch go into its `artifacts/`. */
  readonly directory: string;
  readonly find: FindSecrets;
  readonly limits?: Partial<Limits>;
  readonly ignore?: readonly string[];
}

/** The tests in a larger patch are not compared. */
const LARGEST_PATCH = 32 * 1024 * 1024;

/** More changed files are not looked up in new commits. */
const MOST_READ = 1_000;

/** How many changed paths a fact lists. */
const MOST_NAMED = 100;

/** Records what happens to a workspace: a manifest before, one after, and the difference. Contents are kept only until the patch is written. */
export function fileEvidence({ workspace, directory, find, limits, ignore }: FileEvidenceOptions) {
  const place = realpathSync(workspace);
  const kept = join(directory, ".contents");
  let objects: Objects | undefined;
  let history: History | undefined;
  let first: { readonly manifest: Manifest; readonly file: FileRef } | undefined;
  let last: Manifest | undefined;
  let shared: readonly string[] = [];
  let problem: string | undefined;

  async function taken(name: string, keep?: Objects, onTime?: (path: string, ctime: number) => void): Promise<Manifest> {
    return snapshot(place, {
      to: join(directory, name),
      ...(onTime !== undefined && { onTime }),
      ...(keep !== undefined && { keep }),
      ...(limits !== undefined && { limits }),
      ...(ignore !== undefined && { ignore }),
    });
  }

  /** A workspace that no longer exists is empty. */
  async function takenOfNothing(): Promise<Manifest> {
    const nothing = join(directory, ".nothing");
    mkdirSync(nothing, { mode: 0o700 });
    try {
      return await snapshot(nothing, { to: join(directory, "artifacts/manifest_after.jsonl"), ...(ignore !== undefined && { ignore }) });
    } finally {
      rmdirSync(nothing);
    }
  }

  /** The sealed file: secrets in names or contents are masked. */
  function sealed(name: string): { readonly file: FileRef; readonly masked: number } {
    const path = join(directory, name);
    const { seal, masked } = find.longest === 0 ? { seal: fileSeal(path), masked: 0 } : maskFile(path, find);
    return { file: { path: name, ...seal }, masked };
  }

  return {
    /** Rejects if it fails; then later changes are unknown too. */
    async before(): Promise<{ readonly file: FileRef; readonly manifest: Manifest }> {
      try {
        objects = openObjects(kept, { isShared: false });
        const manifest = await taken("artifacts/manifest_before.jsonl", objects);
        first = { manifest, file: sealed("artifacts/manifest_before.jsonl").file };
        last = manifest;
        history = historyOf(place);
        return first;
      } catch (error) {
        problem = `The workspace could not be scanned before the start: ${errorWords(error)}`;
        throw error;
      }
    },

    /** The changes since the last snapshot, while the agent is running. Undefined if there are none, or if they cannot be known. */
    async turn(turn: number, callId: string): Promise<FilesChangedBody | undefined> {
      const before = last;
      if (before === undefined) return undefined;
      if (lossOf(place) !== undefined) return undefined;
      const after = await taken(`.turn-${turn}.jsonl`);
      if (lossOf(place) !== undefined) return undefined; // we may have scanned a foreign directory
      const comparison = compare(before, after);
      if (before !== first?.manifest) rmSync(before.path, { force: true });
      last = after;
      if (comparison.changes.length === 0) return undefined;
      return { type: "files-changed", turn, callId, method: "other", ...totalsOf(comparison), leftOut: 0, unseen: unseenIn(before, after) };
    },

    /** Never rejects: the result reports problems. `declared` and `named`: the paths that the agent says it has written, in calls and in prose. */
    async after(declared: readonly string[] = [], named: readonly string[] = []): Promise<FilesChangedBody> {
      const none = { type: "files-changed", method: "other", total: null, counts: null, changes: [], leftOut: 0, unseen: null } as const;
      if (first === undefined || objects === undefined)
        return { ...none, problem: problem ?? "The workspace was not scanned before the start." };
      try {
        if (last !== undefined && last !== first.manifest) rmSync(last.path, { force: true });
        const loss = lossOf(place);
        const lock = loss === undefined ? lockOf(place) : undefined;
        const touched = lastTouched();
        const manifest = await (loss === undefined
          ? taken("artifacts/manifest_after.jsonl", objects, (path, at) => touched.see(path, at))
          : takenOfNothing());
        shared = [...entriesOf(manifest)].flatMap(({ path, names = 1 }) => (names > 1 ? [path] : []));
        const { file: after } = sealed("artifacts/manifest_after.jsonl");
        const seen = { ...none, before: first.file, after };
        const comparison = compare(first.manifest, manifest, { objects });
        const unseen = unseenIn(first.manifest, manifest);
        const lookedUp = lookUp(declared, named, workspace, { before: first.manifest, after: manifest, comparison });
        const repository = repositoryIn(first.manifest, manifest, ignore);
        const base = {
          ...seen,
          ...totalsOf(comparison),
          unseen,
          ...(lookedUp.length > 0 && { lookedUp }),
          ...repository,
          ...(loss === undefined && commitsIn(place, history, comparison)),
          ...touched.fact(),
        };
        const { problem: flaw, ...rest } = await written(comparison, objects, manifest);
        const problems = [loss, lock, flaw].filter((each) => each !== undefined);
        return { ...base, ...rest, ...(problems.length > 0 && { problem: problems.join(" ") }) };
      } catch (error) {
        return { ...none, before: first.file, problem: `The workspace could not be compared: ${errorWords(error)}` };
      }
    },

    /** The links before the start, by path; undefined if the workspace was not scanned. */
    links(): ReadonlyMap<string, string> | undefined {
      if (first === undefined) return undefined;
      const links = new Map<string, string>();
      for (const { path, link } of entriesOf(first.manifest)) if (link !== undefined) links.set(path, link);
      return links;
    },

    /** The files that have several names after the end. Some may be outside the workspace. */
    shared: (): readonly string[] => shared,

    /** Removes the contents of the workspace, which we keep no longer than needed. */
    close(): void {
      objects?.close();
      rmSync(kept, { recursive: true, force: true });
    },
  };

  async function written(
    comparison: Comparison,
    contents: Objects,
    manifest: Manifest,
  ): Promise<Pick<FilesChangedBody, "patch" | "leftOut" | "problem" | "tests">> {
    try {
      const to = join(directory, "artifacts/fs_diff.patch");
      let masked = 0;
      const shown = (bytes: Buffer): Buffer => {
        const found = maskBytes(bytes, find);
        masked += found.masked;
        return found.bytes;
      };
      const { leftOut } = await patch(comparison, contents, { to, shown });
      const { file, masked: names } = sealed("artifacts/fs_diff.patch");
      masked += names;
      const tests = testFilesIn(pathsOf(manifest));
      return {
        patch: file,
        tests: {
          ...weakenedIn(
            comparison.changes.map(({ path, kind, from }) => ({ path, kind, ...(from !== undefined && { was: from }) })),
            () => (file.bytes > LARGEST_PATCH ? undefined : readFileSync(to, "utf8")),
          ),
          ...(tests !== undefined && { files: [...tests] }),
        },
        leftOut: leftOut.length,
        ...(masked > 0 && {
          problem: `Secrets are masked in ${masked} places of the patch, so it does not reproduce the state after the run there.`,
        }),
      };
    } catch (error) {
      return { leftOut: 0, problem: `The patch could not be written: ${errorWords(error)}` };
    }
  }
}

/** How many of the entries that changed last a fact lists. */
const MOST_TOUCHED = 50;

function lastTouched() {
  let last: { readonly path: string; readonly at: number }[] = [];
  const cut = () => {
    last = last.sort((a, b) => b.at - a.at).slice(0, MOST_TOUCHED);
  };
  return {
    see(path: string, at: number): void {
      if (isNoise(path)) return;
      last.push({ path, at });
      if (last.length > 4 * MOST_TOUCHED) cut();
    },
    fact(): Pick<FilesChangedBody, "touched"> {
      cut();
      return last.length === 0 ? {} : { touched: last };
    },
  };
}

/** An agent cannot hide a workspace by removing permissions: we own it and restore them. */
function lockOf(place: string): string | undefined {
  const mode = unlock(place);
  return mode === undefined
    ? undefined
    : `The workspace itself had the permissions ${mode}, which were changed so that it could be scanned.`;
}

/**
 * Whether the agent replaced the workspace or a directory above it. A link there would lead us outside, and we would report the foreign
 * files with their contents as the agent's work.
 */
function lossOf(place: string): string | undefined {
  const what = "its contents count as deleted.";
  try {
    if (realpathSync(place) !== place) return `The workspace is now behind a symbolic link; ${what}`;
    return statSync(place).isDirectory() ? undefined : `The workspace is no longer a directory; ${what}`;
  } catch (error) {
    return ["ENOENT", "ENOTDIR"].includes(codeOf(error)) ? `The workspace is gone; ${what}` : undefined; // the scan reports the reason
  }
}

export function totalsOf(comparison: Comparison): Pick<FilesChangedBody, "total" | "counts" | "changes"> {
  const { total, top } = topChanges(comparison, MOST_NAMED);
  const changes = top.map(
    ({ kind, path, from, after }): FileChange => ({
      kind,
      path,
      ...(from !== undefined && { was: from }),
      ...(after?.mtime !== undefined && { mtime: after.mtime }),
    }),
  );
  return { total, counts: comparison.counts, changes };
}

/** What the workspace's `.git` is, before or after the run. Nothing is said if rules may have left it out of the scan. */
function repositoryIn(before: Manifest, after: Manifest, ignore: readonly string[] = []): Pick<FilesChangedBody, "repository"> {
  if (ignore.some((rule) => /git|\*/.test(rule))) return {};
  for (const manifest of [after, before]) {
    for (const { path, type } of entriesOf(manifest)) {
      if (path === ".git") return { repository: type === "directory" ? "directory" : "file" };
      if (path > ".git") break; // entries are in order
    }
  }
  return { repository: "none" };
}

function* pathsOf(manifest: Manifest): Generator<string> {
  for (const { path, type } of entriesOf(manifest)) if (type === "file") yield path;
}

/** What the branches lead to now, and which changes are in no new commit. */
function commitsIn(place: string, before: History | undefined, { changes }: Comparison): Pick<FilesChangedBody, "commits"> {
  const after = historyOf(place);
  if (after === undefined) return {};
  const made = [...after.tips].filter((tip) => before?.tips.has(tip) !== true);
  const paths = changes
    .filter(({ path, before, after }) => !/(?:^|\/)\.git(?:\/|$)/.test(path) && (before ?? after)?.type !== "directory")
    .flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
  const isKnown = made.length > 0 && before?.tree !== undefined && after.tree !== undefined;
  const rest = made.length === 0 || paths.length > MOST_READ ? undefined : uncommitted(place, made.slice(0, 10), paths);
  return {
    commits: {
      made: made.slice(0, 10),
      isEmpty: isKnown ? before.tree === after.tree : null,
      uncommitted: rest === undefined ? null : rest.slice(0, MOST_NAMED),
    },
  };
}

export function unseenIn(...manifests: readonly Manifest[]): number {
  return manifests.reduce((sum, { end }) => sum + end.unread + end.unlisted + (end.root === undefined ? 0 : 1), 0);
}
