import { createHash } from "node:crypto";
import { gitBinary } from "./git-binary.ts";
import { quoted } from "./git-names.ts";
import { textHunks } from "./text-hunks.ts";

export interface FileState {
  readonly mode: "100644" | "100755" | "120000";
  readonly contents: Buffer;
}

const NO_BLOB = "0".repeat(40);

/** Above this size, a deflated literal is shorter, and a line diff would need too much memory. */
const LINES_UP_TO = 8 * 1024 * 1024;

/** One file's part of a patch in git's format, one character per byte; empty if git sees no difference. */
export function filePatch(path: string, before: FileState | undefined, after: FileState | undefined): string {
  const header = [`diff --git ${quoted(`a/${path}`)} ${quoted(`b/${path}`)}`];
  const isSame = before !== undefined && after !== undefined && before.contents.equals(after.contents);
  if (before === undefined && after !== undefined) header.push(`new file mode ${after.mode}`);
  if (after === undefined && before !== undefined) header.push(`deleted file mode ${before.mode}`);
  if (before !== undefined && after !== undefined && before.mode !== after.mode)
    header.push(`old mode ${before.mode}`, `new mode ${after.mode}`);
  else if (isSame) return "";
  if (isSame) return `${header.join("\n")}\n`;

  const mode = before?.mode === after?.mode ? ` ${before?.mode}` : "";
  header.push(`index ${blobId(before)}..${blobId(after)}${mode}`);
  const old = before?.contents ?? Buffer.alloc(0);
  const now = after?.contents ?? Buffer.alloc(0);
  if (isBinary(old) || isBinary(now)) return `${header.join("\n")}\n${gitBinary(now)}`;
  const hunks = textHunks(old, now);
  if (hunks !== "") header.push(`--- ${named("a", path, before)}`, `+++ ${named("b", path, after)}`);
  return `${header.join("\n")}\n${hunks}`;
}

function named(side: string, path: string, state: FileState | undefined): string {
  return state === undefined ? "/dev/null" : quoted(`${side}/${path}`);
}

/** Stricter than git, which checks only the first 8,000 bytes. */
function isBinary(contents: Buffer): boolean {
  return contents.length > LINES_UP_TO || contents.includes(0);
}

function blobId(state: FileState | undefined): string {
  if (state === undefined) return NO_BLOB;
  return createHash("sha1").update(`blob ${state.contents.length}\0`).update(state.contents).digest("hex");
}
