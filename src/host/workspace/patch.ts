import { createHash, type Hash } from "node:crypto";
import { closeSync } from "node:fs";
import { logError, openPrivate } from "../files/index.ts";
import { maskedLater, writeFully } from "../sink/index.ts";
import { breathing } from "./breathing.ts";
import { bytesOf, comparePaths, insideGit, textOf } from "./byte-path.ts";
import type { Change } from "./change.ts";
import type { Comparison } from "./compare.ts";
import { type FileState, filePatch } from "./file-patch.ts";
import { gitRefuses } from "./git-names.ts";
import { loopingLinks } from "./looping-links.ts";
import type { Entry, Manifest } from "./manifest.ts";
import type { Objects } from "./objects.ts";

export interface PatchOptions {
  /** The file to write; it must not exist. */
  readonly to: string;
  /** Larger files are left out, and so is everything after the patch has reached `bytes`. */
  readonly fileBytes?: number;
  readonly bytes?: number;
  /** Contents and paths as they may be shown; of the same length. A binary patch is compressed, so they cannot be masked in it. */
  readonly shown?: (contents: Buffer) => Buffer;
}

export interface Patch {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /** How many paths the patch changes. */
  readonly files: number;
  /** Changed files and links outside any `.git` that are not in the patch, with the reason. All other changes are in the manifests only. */
  readonly leftOut: readonly { readonly path: string; readonly reason: LeftOut }[];
}

export type LeftOut = "git" | "unread" | "unkept" | "file-budget" | "byte-budget";

interface Operation {
  readonly path: string;
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
  /** One side was not seen, so there may be no change to write. */
  readonly isUnknown?: true;
}

/**
 * Writes a patch for `git apply` that turns the files, links and executable bits of one state into the other. It is rendered from stored
 * contents by our own code, without git and without the workspace.
 */
export async function patch({ changes, before: manifest }: Comparison, objects: Objects, options: PatchOptions): Promise<Patch> {
  const { to, fileBytes = 64 * 2 ** 20, bytes: most = 2 ** 30, shown = (contents) => contents } = options;
  const { fd } = openPrivate(to, { exclusive: true });
  const hash: Hash = createHash("sha256");
  const leftOut: { path: string; reason: LeftOut }[] = [];
  const breath = breathing();
  let bytes = 0;
  let files = 0;
  try {
    const all = operations(changes);
    const isBehindLoop = behindLoops(all, manifest);
    for (const { path, before, after, isUnknown } of all) {
      const isImpossible = after !== undefined && isBehindLoop(path);
      const refusal = refused(before, fileBytes, objects) ?? (isImpossible ? "git" : refused(after, fileBytes, objects));
      const reason = isUnknown ? "unread" : (refusal ?? (bytes > most ? "byte-budget" : undefined));
      if (reason !== undefined) {
        leftOut.push({ path, reason });
        continue;
      }
      const text = Buffer.from(
        filePatch(textOf(shown(bytesOf(path))), stateOf(before, objects, shown), stateOf(after, objects, shown)),
        "latin1",
      );
      if (text.length === 0) continue;
      const { error } = writeFully(fd, maskedLater(text));
      if (error !== undefined) throw logError(`Cannot write ${to}`, error);
      hash.update(text);
      bytes += text.length;
      files++;
      if (breath.due()) await breath.take();
    }
  } finally {
    closeSync(fd);
  }
  return { path: to, bytes, sha256: hash.digest("hex"), files, leftOut };
}

/** One per path: git has no type change, and a rename is one file removed and one added. */
function operations(changes: readonly Change[]): Operation[] {
  const found: Operation[] = [];
  const add = (path: string, before?: Entry, after?: Entry): void => {
    const old = inPatch(before);
    const now = inPatch(after);
    if (old === undefined && now === undefined) return;
    if (old === undefined || now === undefined || old.type === now.type) found.push({ path, before: old, after: now });
    else found.push({ path, before: old, after: undefined }, { path, before: undefined, after: now });
  };
  for (const { kind, path, from, before, after } of changes) {
    if (insideGit(path) && insideGit(from ?? path)) continue;
    if (kind === "renamed" && from !== undefined) {
      add(from, before);
      add(path, undefined, after);
    } else if (kind === "unknown") found.push({ path, before, after, isUnknown: true });
    else add(path, before, after);
  }
  return found.sort((a, b) => comparePaths(a.path, b.path));
}

/** Git checks whether a new file exists before it removes anything. Behind a link that leads to itself, this fails the whole patch. */
function behindLoops(all: readonly Operation[], before: Manifest): (path: string) => boolean {
  const gone = new Set(all.filter((each) => each.before?.type === "link" && each.after === undefined).map(({ path }) => path));
  const linksAbove = (path: string): string[] => parentsOf(path).filter((parent) => gone.has(parent));
  if (!all.some(({ path, after }) => after !== undefined && linksAbove(path).length > 0)) return () => false;
  const loops = loopingLinks(before);
  return (path) => linksAbove(path).some(loops);
}

function parentsOf(path: string): string[] {
  const names = path.split("/");
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join("/"));
}

function inPatch(entry: Entry | undefined): Entry | undefined {
  return entry?.type === "file" || entry?.type === "link" ? entry : undefined;
}

function refused(entry: Entry | undefined, fileBytes: number, objects: Objects): LeftOut | undefined {
  if (entry === undefined) return undefined;
  if (gitRefuses(entry.path, entry.type === "link")) return "git";
  if (entry.unread !== undefined) return "unread";
  if (entry.type === "link") return undefined;
  if ((entry.size ?? 0) > fileBytes) return "file-budget";
  return objects.has(entry.sha256 ?? "") ? undefined : "unkept";
}

function stateOf(entry: Entry | undefined, objects: Objects, shown: (contents: Buffer) => Buffer): FileState | undefined {
  if (entry === undefined) return undefined;
  if (entry.type === "link") return { mode: "120000", contents: shown(bytesOf(entry.link ?? "")) };
  const isExecutable = (Number.parseInt(entry.mode ?? "0", 8) & 0o100) !== 0;
  const contents = Buffer.concat(Array.from(objects.read(entry.sha256 ?? ""), (piece) => Buffer.from(piece)));
  return { mode: isExecutable ? "100755" : "100644", contents: shown(contents) };
}
