import { z } from "zod";
import { applyHunks, type HunkChange, type PatchPart, parsePatch, readText, textBytes } from "../edits/index.ts";
import { type WorkspaceChanges, workspaceChanges } from "../workspace-changes.ts";
import type { WorkspaceFiles } from "../workspace-files.ts";
import { ourTool } from "./our-tool.ts";
import type { SeenFiles } from "./seen-files.ts";

const FORMAT = `Changes several files together, or none of them. The patch is
*** Begin Patch
*** Update File: path      (then @@, and lines that begin with a blank, - or +)
*** Add File: path         (then lines that begin with +; the file must not exist)
*** Delete File: path
*** End Patch
Lines with a blank or - must be in the file, in one place only: add lines around them, or write a whole line above them after @@.
Only + lines without @@ are appended. *** End of File after a hunk: it is at the end. An update may begin with "*** Move to: path".`;

/** What a part did, for the model and for programs. */
interface Done {
  readonly text: string;
  readonly change: { readonly path: string; readonly kind: PatchPart["kind"] | "move"; readonly added: number; readonly removed: number };
}

export const applyPatchTool = (files: WorkspaceFiles, seen: SeenFiles) =>
  ourTool({
    description: FORMAT,
    shape: { patchText: z.string().describe("From *** Begin Patch to *** End Patch") },
    run({ patchText: text }) {
      const changes = workspaceChanges(files);
      const done = parsePatch(text).map((part) => applied(part, changes));
      const written = changes.commit();
      if (written.length === 0) throw new Error("The patch changes nothing: the files already look like this.");
      for (const place of written) if (files.exists(place)) seen.note(place, files.read(place));
      return {
        context: done.map((each) => each.text).join("\n"),
        result: { files: done.map(({ change }) => change.path), changes: done.map(({ change }) => change) },
      };
    },
  });

function applied(part: PatchPart, changes: WorkspaceChanges): Done {
  const { path } = part;
  const old = part.kind === "delete" ? existing(changes, path) : changes.read(path);
  if (part.kind === "delete") {
    changes.remove(path);
    return { text: `Removed ${path}`, change: { path, kind: "delete", added: 0, removed: countOf(old) } };
  }
  if (part.kind === "add") {
    if (old !== undefined) throw new Error(`${path} already exists. Update it instead, or delete it earlier in the patch.`);
    const content = Buffer.from(part.content);
    changes.write(path, content);
    const added = countOf(content);
    return { text: `Created ${path}: +${added}`, change: { path, kind: "add", added, removed: 0 } };
  }
  const file = readText(existing(changes, path), path);
  const { lines, changes: hunks } = applyHunks(file.lines, part.hunks, path);
  const content = textBytes({ ...file, lines }, path);
  const sums = { added: sum(hunks, "added"), removed: sum(hunks, "removed") };
  if (part.moveTo === undefined) {
    changes.write(path, content);
    return { text: `Updated ${path}: ${described(hunks)}`, change: { path, kind: "update", ...sums } };
  }
  if (changes.read(part.moveTo) !== undefined) throw new Error(`${path} cannot be moved: ${part.moveTo} already exists.`);
  changes.move(path, part.moveTo, content);
  const text = `Moved ${path} to ${part.moveTo}${hunks.length === 0 ? "" : `: ${described(hunks)}`}`;
  return { text, change: { path: part.moveTo, kind: "move", ...sums } };
}

function existing(changes: WorkspaceChanges, path: string): Buffer {
  const bytes = changes.read(path);
  if (bytes === undefined) throw new Error(`${path} does not exist.`);
  return bytes;
}

function described(hunks: readonly HunkChange[]): string {
  if (hunks.length === 0) return "no change";
  const lines = hunks.slice(0, 20).map(({ line }) => line);
  const loose = hunks.filter(({ isLoose }) => isLoose).length;
  const where = `at line${lines.length === 1 ? "" : "s"} ${lines.join(", ")}${hunks.length > lines.length ? ", …" : ""}`;
  return `+${sum(hunks, "added")} -${sum(hunks, "removed")} ${where}${loose === 0 ? "" : " (matched except for whitespace)"}`;
}

function sum(hunks: readonly HunkChange[], key: "added" | "removed"): number {
  return hunks.reduce((total, hunk) => total + hunk[key], 0);
}

function countOf(bytes: Buffer | undefined): number {
  if (bytes === undefined || bytes.length === 0) return 0;
  let count = bytes.at(-1) === 0x0a ? 0 : 1;
  for (const byte of bytes) if (byte === 0x0a) count++;
  return count;
}
