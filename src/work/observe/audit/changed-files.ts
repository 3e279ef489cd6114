import { createHash } from "node:crypto";
import { join } from "node:path";
import {
  type Comparison,
  compare,
  type Entry,
  entriesOf,
  type Manifest,
  manifestFlaw,
  openManifest,
} from "../../../host/workspace/index.ts";
import { gitPatch, HarnessError } from "../../../pure/base/index.ts";
import type { FilesChangedBody } from "../../../pure/events/index.ts";
import { totalsOf, unseenIn } from "../file-evidence.ts";
import type { Evidence } from "./evidence.ts";
import { type PatchPart, patchParts } from "./patch-parts.ts";

type Change = Comparison["changes"][number];
type Found = Pick<FilesChangedBody, "total" | "counts" | "changes" | "leftOut" | "unseen">;

/**
 * The changed paths by the two manifests and the patch. A rename with changed contents needs both contents to be recognized, which are not
 * kept: a claimed one counts if the manifests show that the old name went and the new one came. Undefined without manifests.
 */
export function changedFiles(evidence: Evidence, claim: FilesChangedBody): Found | undefined {
  const [before, after] = ["before", "after"].map((side) => manifestIn(evidence, `artifacts/manifest_${side}.jsonl`));
  if (before === undefined || after === undefined) return undefined;
  const comparison = withRenames(compare(before, after), claim);
  return { ...totalsOf(comparison), leftOut: leftOut(evidence, comparison, claim), unseen: unseenIn(before, after) };
}

/** The workspace before the start, counted anew. */
export function countedEntries(evidence: Evidence): { readonly entries: number; readonly bytes: number } | undefined {
  const manifest = manifestIn(evidence, "artifacts/manifest_before.jsonl");
  if (manifest === undefined) return undefined;
  let entries = 0;
  for (const _ of entriesOf(manifest)) entries++;
  return { entries, bytes: manifest.end.bytes };
}

/** Undefined also if masking changed the order of its paths: then two manifests cannot be compared. */
function manifestIn(evidence: Evidence, name: string): Manifest | undefined {
  if (evidence.file(name) === undefined) return undefined;
  const manifest = openManifest(join(evidence.directory, name));
  const text = evidence.text(name) ?? "";
  if (MASKED.test(text)) return undefined;
  const isCounted = text.split("\n").length === manifest.end.entries + 3; // a first and a last line, and a newline at the end
  const flaw = manifestFlaw(manifest) ?? (text === "" || isCounted ? undefined : "it has other lines than its entries");
  if (flaw !== undefined) throw new HarnessError("input", `${name}: ${flaw}`);
  return manifest;
}

function withRenames(comparison: Comparison, { changes: claimed }: FilesChangedBody): Comparison {
  const found = [...comparison.changes];
  const take = (kind: Change["kind"], path: string) => {
    const at = found.findIndex((each) => each.kind === kind && each.path === path);
    return at < 0 ? undefined : { at, change: found[at] as Change };
  };
  for (const { kind, path, was } of claimed) {
    if (kind !== "renamed" || was === undefined || take("renamed", path)?.change.from === was) continue;
    const [come, gone] = [take("added", path), take("deleted", was)];
    if (come?.change.after === undefined || gone?.change.before === undefined) continue;
    found[come.at] = { kind: "renamed", path, from: was, before: gone.change.before, after: come.change.after };
    found.splice(gone.at, 1);
  }
  const counts = { added: 0, modified: 0, deleted: 0, renamed: 0, mode: 0, type: 0, unknown: 0 };
  for (const { kind } of found) counts[kind]++;
  return { ...comparison, changes: found, counts };
}

/**
 * How many changed files the patch leaves out. A change of permissions may need no line in the patch, and git writes a name that is not
 * UTF-8 differently: the claim may include them or not.
 */
function leftOut(evidence: Evidence, { changes }: Comparison, { leftOut: claimed, patch }: FilesChangedBody): number {
  const text = patch === undefined ? undefined : evidence.text("artifacts/fs_diff.patch");
  if (text === undefined) return claimed;
  const inPatch = new Set(gitPatch(text).map(({ path }) => path));
  const missing = changes.flatMap((change) =>
    pathsOf(change)
      .filter((path) => !inPatch.has(path))
      .map((path) => change.kind !== "mode" && !NOT_UTF8.test(path)),
  );
  const least = missing.filter((isCertain) => isCertain).length;
  return claimed >= least && claimed <= missing.length ? claimed : least;
}

const MASKED = /\*{4}/;

/** How the patch contradicts the manifests: a path that did not change, or one that changed differently. */
export function patchFlaw(evidence: Evidence): string | undefined {
  const text = evidence.text("artifacts/fs_diff.patch", "latin1"); // contents need not be UTF-8
  const [before, after] = ["before", "after"].map((side) => manifestIn(evidence, `artifacts/manifest_${side}.jsonl`));
  if (text === undefined || before === undefined || after === undefined) return undefined;
  const { changes } = compare(before, after);
  const known = new Map(
    changes.flatMap((change) => [change.path, ...(change.from === undefined ? [] : [change.from])].map((path) => [path, change])),
  );
  const seen = new Set<string>();
  for (const part of patchParts(text)) {
    const { path, isWhole } = part;
    if (/[\u0080-\u00ff]/.test(path)) continue; // git writes a name that is not UTF-8 differently
    const change = known.get(path);
    if (change === undefined) return `it changes ${path}, which the manifests do not`;
    if (!isWhole) return `a part of ${path} does not have the lines that it announces`;
    if (seen.has(path) && change.kind !== "type") return `it changes ${path} twice`;
    seen.add(path);
    const flaw = partFlaw(part, change);
    if (flaw !== undefined) return `its ${flaw} of ${path} are not those of the manifests`;
  }
  return undefined;
}

/** What differs in a part: whether the file was created or deleted, the contents, or how much longer they became. */
function partFlaw({ path, side, lines }: PatchPart, { kind, from, before, after }: Change): string | undefined {
  const shown = kind === "type" || kind === "unknown" ? side : sideOf(kind, path === from);
  if (side !== shown) return "states";
  if (lines === undefined || MASKED.test(lines.before) || MASKED.test(lines.after)) return undefined;
  const entries = { before, after };
  for (const each of side === undefined ? SIDES : [side]) {
    const { size, sha256, type } = { size: undefined, sha256: undefined, type: undefined, ...entries[each] };
    const isAll = side === each || size === lines[each].length;
    if (type === "file" && sha256 !== undefined && isAll && sha256Of(lines[each]) !== sha256) return "contents";
  }
  if (side !== undefined || before?.type !== "file" || after?.type !== "file") return undefined;
  const isLonger = (after.size ?? 0) - (before.size ?? 0) === lines.after.length - lines.before.length;
  return before.size === undefined || after.size === undefined || isLonger ? undefined : "lengths";
}

const SIDES = ["before", "after"] as const;

/** A rename is one file removed and one added. */
function sideOf(kind: Change["kind"], isOld: boolean): PatchPart["side"] {
  if (kind === "added" || (kind === "renamed" && !isOld)) return "after";
  return kind === "deleted" || kind === "renamed" ? "before" : undefined;
}

function sha256Of(contents: string): string {
  return createHash("sha256").update(contents, "latin1").digest("hex");
}

const NOT_UTF8 = /\p{Surrogate}/u;

/** The files and links of a change that a patch can hold. */
function pathsOf({ kind, path, from, before, after }: Change): readonly string[] {
  if (insideGit(path) && insideGit(from ?? path)) return [];
  if (kind === "unknown") return [path];
  return [...(isFile(before) ? [from ?? path] : []), ...(isFile(after) && !(isFile(before) && from === undefined) ? [path] : [])];
}

function insideGit(path: string): boolean {
  return path.split("/").includes(".git");
}

function isFile(entry: Entry | undefined): boolean {
  return entry?.type === "file" || entry?.type === "link";
}
