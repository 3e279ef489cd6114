import type { FilesChangedBody, WeakenedTest } from "../events/index.ts";
import type { ChangedPath } from "./changed-paths.ts";
import { type FilePatch, isText, patchFiles, patchOf } from "./patch-files.ts";
import { isCode } from "./tame-code.ts";
import { isTestFile } from "./test-files.ts";
import { changedAssertions, changedScripts, interference, isTestData } from "./test-interference.ts";
import { ASSERTION, COMMENT, isPackageFile, type Weakening, weakenedScripts, weakenings } from "./weakened-tests.ts";

const MOST = 50;

/** What became of the tests. `read` gives the patch; it is called only if a test may have changed. Undefined: it cannot be read. */
export function weakenedIn(changes: readonly ChangedPath[], read: () => string | undefined): NonNullable<FilesChangedBody["tests"]> {
  const isAbout = (path: string | undefined) =>
    path !== undefined && (isTestFile(path) || isPackageFile(path) || isCode(path) || isTestData(path));
  const about = changes.filter(({ path, was, kind }) => kind !== "mode" && (isAbout(path) || isAbout(was)));
  if (about.length === 0) return { weakened: [], added: 0, unread: 0 };
  const patches = new Map<string, FilePatch>(patchFiles(read() ?? "").map((file) => [file.path, file]));
  const added = about.filter(({ path, kind }) => kind === "added" && isTestFile(path));
  const come = added.reduce((sum, { path }) => sum + assertionsIn(patches.get(path)?.added), 0);
  const weakened = about.flatMap((change) => ofChange(change, patches, come));
  const unread = about.filter((change) => change.kind !== "deleted" && isReadable(change.path) && !isText(patchOf(change, patches)));
  return { weakened: weakened.slice(0, MOST), added: added.length, unread: unread.length };
}

/** Whether the lines of a changed file say something about the tests. A path without an ending may be a folder. */
function isReadable(path: string): boolean {
  return isTestFile(path) || isPackageFile(path) || (isCode(path) && /[^/.]\.\w+$/.test(path));
}

function ofChange(change: ChangedPath, patches: ReadonlyMap<string, FilePatch>, come: number): readonly WeakenedTest[] {
  const { path, was, kind } = change;
  if (kind === "deleted") return isTestFile(path) ? [deleted(path, assertionsIn(patches.get(path)?.removed), come)] : [];
  if (was !== undefined && isTestFile(was) && !isTestFile(path)) return [{ path: was, what: `renamed to ${path}`, isCertain: true }];
  if (isTestData(path)) return kind === "added" ? [] : [{ path, what: "changed test data", isCertain: false }];
  const patch = patchOf(change, patches);
  const found: readonly Weakening[] = isTestFile(path)
    ? [...weakenings(patch), ...changedAssertions(patch), ...interference(patch)]
    : [...weakenedScripts(patch), ...changedScripts(patch), ...interference(patch)];
  return found.map(({ line, what, isCertain }) => ({ path, ...(line > 0 && { line }), what, isCertain }));
}

/** Added tests may replace a deleted one, unless they assert less. */
function deleted(path: string, gone: number, come: number): WeakenedTest {
  return { path, what: come < gone ? `deleted, with ${gone} assertions; added tests have ${come}` : "deleted", isCertain: true };
}

function assertionsIn(lines: FilePatch["added"] = []): number {
  return lines.filter(({ text }) => ASSERTION.test(text) && !COMMENT.test(text)).length;
}
