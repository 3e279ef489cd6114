import type { FilesChangedBody, WeakenedTest } from "../events/index.ts";
import type { ChangedPath } from "./changed-paths.ts";
import { type FilePatch, isText, patchFiles, patchOf } from "./patch-files.ts";
import { isTestFile } from "./test-files.ts";
import { changedAssertions, changedScripts, interference, isSource } from "./test-interference.ts";
import { isPackageFile, type Weakening, weakenedScripts, weakenings } from "./weakened-tests.ts";

const MOST = 50;

/** What became of the tests. `read` gives the patch; it is called only if a test may have changed. Undefined: it cannot be read. */
export function weakenedIn(changes: readonly ChangedPath[], read: () => string | undefined): NonNullable<FilesChangedBody["tests"]> {
  const isAbout = (path: string | undefined) => path !== undefined && (isTestFile(path) || isPackageFile(path) || isSource(path));
  const about = changes.filter(({ path, was, kind }) => kind !== "mode" && (isAbout(path) || isAbout(was)));
  if (about.length === 0) return { weakened: [], added: 0, unread: 0 };
  const patches = new Map<string, FilePatch>(patchFiles(read() ?? "").map((file) => [file.path, file]));
  const weakened = about.flatMap((change) => ofChange(change, patches));
  const added = about.filter(({ path, kind }) => kind === "added" && isTestFile(path));
  const unread = about.filter(
    (change) => change.kind !== "deleted" && (isTestFile(change.path) || isPackageFile(change.path)) && !isText(patchOf(change, patches)),
  );
  return { weakened: weakened.slice(0, MOST), added: added.length, unread: unread.length };
}

function ofChange(change: ChangedPath, patches: ReadonlyMap<string, FilePatch>): readonly WeakenedTest[] {
  const { path, was, kind } = change;
  if (kind === "deleted") return isTestFile(path) ? [{ path, what: "deleted", isCertain: true }] : [];
  if (was !== undefined && isTestFile(was) && !isTestFile(path)) return [{ path: was, what: `renamed to ${path}`, isCertain: true }];
  const patch = patchOf(change, patches);
  const found: readonly Weakening[] = isTestFile(path)
    ? [...weakenings(patch), ...changedAssertions(patch), ...interference(patch)]
    : [...weakenedScripts(patch), ...changedScripts(patch), ...interference(patch)];
  return found.map(({ line, what, isCertain }) => ({ path, ...(line > 0 && { line }), what, isCertain }));
}
