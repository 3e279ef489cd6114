import { clipped } from "../../pure/base/index.ts";

/** One file of a patch. */
export type PatchPart =
  | { readonly kind: "add"; readonly path: string; readonly content: string }
  | { readonly kind: "delete"; readonly path: string }
  | { readonly kind: "update"; readonly path: string; readonly moveTo?: string; readonly hunks: readonly Hunk[] };

/** Consecutive lines of the old file and their replacement. */
export interface Hunk {
  /** A line somewhere above the hunk. */
  readonly anchor: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const HEAD = /^\*\*\* (Add|Delete|Update) File: (.+)$/;

/** Parses the `apply_patch` format, as Codex defined it: `*** Begin Patch`, one part per file, `*** End Patch`. Throws a sentence for the model. */
export function parsePatch(text: string): readonly PatchPart[] {
  const lines = text.replaceAll("\r\n", "\n").trim().split("\n");
  if (lines[0]?.trim() !== "*** Begin Patch") throw new Error("A patch begins with the line *** Begin Patch.");
  if (lines.at(-1)?.trim() !== "*** End Patch") throw new Error("A patch ends with the line *** End Patch.");
  const parts: PatchPart[] = [];
  let at = 1;
  while (at < lines.length - 1) {
    const head = HEAD.exec(lines[at] ?? "");
    if (head === null) throw new Error(`Line ${at + 1} of the patch does not start a file: ${JSON.stringify(brief(lines[at] ?? ""))}.`);
    const body: string[] = [];
    for (at++; at < lines.length - 1 && !HEAD.test(lines[at] ?? ""); at++) body.push(lines[at] ?? "");
    parts.push(partOf(head[1] ?? "", (head[2] ?? "").trim(), body));
  }
  if (parts.length === 0) throw new Error("The patch changes no file.");
  return parts;
}

function partOf(kind: string, path: string, body: readonly string[]): PatchPart {
  if (kind === "Delete") return { kind: "delete", path };
  if (kind === "Add") return { kind: "add", path, content: added(path, body) };
  const moved = /^\*\*\* Move to: (.+)$/.exec(body[0] ?? "")?.[1]?.trim();
  const hunks = hunksOf(path, moved === undefined ? body : body.slice(1));
  return { kind: "update", path, ...(moved !== undefined && { moveTo: moved }), hunks };
}

function added(path: string, body: readonly string[]): string {
  const wrong = body.find((line) => !line.startsWith("+"));
  if (wrong !== undefined)
    throw new Error(`Every line of the new file ${brief(path)} must begin with +. This one does not: ${JSON.stringify(brief(wrong))}.`);
  return body.map((line) => `${line.slice(1)}\n`).join("");
}

function hunksOf(path: string, body: readonly string[]): readonly Hunk[] {
  const hunks: { anchor: string; before: string[]; after: string[] }[] = [];
  for (const line of body) {
    if (line === "*** End of File") continue;
    if (line.startsWith("@@")) {
      hunks.push({ anchor: line.slice(2).trim(), before: [], after: [] });
      continue;
    }
    if (hunks.length === 0) hunks.push({ anchor: "", before: [], after: [] });
    const hunk = hunks.at(-1);
    const [sign = " ", rest] = line === "" ? [" ", ""] : [line[0], line.slice(1)];
    if (!" +-".includes(sign))
      throw new Error(`Every line of ${brief(path)} must begin with a space, + or -. This one does not: ${JSON.stringify(brief(line))}.`);
    if (sign !== "+") hunk?.before.push(rest);
    if (sign !== "-") hunk?.after.push(rest);
  }
  return hunks;
}

/** A line or a name in a sentence. */
function brief(text: string): string {
  return clipped(text, 500);
}
