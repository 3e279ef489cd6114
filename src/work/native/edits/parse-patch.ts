import { clipped } from "../../../pure/base/index.ts";

/** One file of a patch. */
export type PatchPart =
  | { readonly kind: "add"; readonly path: string; readonly content: string }
  | { readonly kind: "delete"; readonly path: string }
  | { readonly kind: "update"; readonly path: string; readonly moveTo?: string; readonly hunks: readonly Hunk[] };

/** Consecutive lines of the old file, and what replaces them. */
export interface Hunk {
  /** Lines above the hunk, or its first line: each one is below the one before. */
  readonly anchors: readonly string[];
  readonly lines: readonly HunkLine[];
  /** It is at the end of the file. */
  readonly isAtEnd: boolean;
}

interface HunkLine {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

const HEAD = /^\*\*\* (Add|Delete|Update) File: (.+)$/;
const END_OF_FILE = "*** End of File";

/**
 * Parses the `apply_patch` format, as Codex defined it: `*** Begin Patch`, one part per file, `*** End Patch`. Models also write it in a
 * code fence or a here-document, which is removed. Throws a sentence for the model.
 */
export function parsePatch(text: string): readonly PatchPart[] {
  const lines = unwrapped(text.replaceAll("\r\n", "\n").trim().split("\n"));
  if (lines[0]?.trim() !== "*** Begin Patch") throw new Error(`A patch begins with the line *** Begin Patch.${lookalike(lines)}`);
  if (lines.at(-1)?.trim() !== "*** End Patch")
    throw new Error("A patch ends with the line *** End Patch. Nothing was changed: this one may be cut off.");
  const parts: PatchPart[] = [];
  let at = 1;
  while (at < lines.length - 1) {
    const line = lines[at] ?? "";
    const head = HEAD.exec(line);
    if (head === null) throw new Error(`Line ${at + 1} of the patch does not start a file: ${JSON.stringify(brief(line))}.${HEADS}`);
    const body: string[] = [];
    for (at++; at < lines.length - 1 && !HEAD.test(lines[at] ?? ""); at++) body.push(lines[at] ?? "");
    parts.push(partOf(head[1] ?? "", (head[2] ?? "").trim(), body));
  }
  if (parts.length === 0) throw new Error("The patch changes no file.");
  return parts;
}

const HEADS = " A part begins with *** Update File: path, *** Add File: path or *** Delete File: path.";

function unwrapped(lines: readonly string[]): readonly string[] {
  const [first = "", last = ""] = [lines[0], lines.at(-1)].map((line) => line?.trim());
  const here = /<<-?\s*(['"]?)(\w+)\1$/.exec(first);
  const isFence = /^`{3,}\w*$/.test(first) && /^`{3,}$/.test(last);
  return isFence || (here !== null && last === here[2]) ? unwrapped(lines.slice(1, -1)) : lines;
}

function lookalike(lines: readonly string[]): string {
  const isDiff = lines.some((line) => /^(?:diff --git |--- |\+\+\+ )/.test(line));
  return isDiff ? " A unified diff is a different format: name each file with *** Update File: path, and leave out --- and +++." : "";
}

function partOf(kind: string, path: string, body: readonly string[]): PatchPart {
  if (kind === "Delete") {
    const extra = body.find((line) => line.trim() !== "");
    if (extra !== undefined) throw new Error(`Nothing may follow *** Delete File: ${brief(path)}. Remove ${JSON.stringify(brief(extra))}.`);
    return { kind: "delete", path };
  }
  if (kind === "Add") return { kind: "add", path, content: added(path, body) };
  const moved = /^\*\*\* Move to: (.+)$/.exec(body[0] ?? "")?.[1]?.trim();
  const hunks = hunksOf(path, moved === undefined ? body : body.slice(1));
  if (hunks.length === 0 && moved === undefined) throw new Error(`The part for ${brief(path)} has no lines: it changes nothing.`);
  return { kind: "update", path, ...(moved !== undefined && { moveTo: moved }), hunks };
}

function added(path: string, body: readonly string[]): string {
  const lines = body.at(-1) === "" ? body.slice(0, -1) : body;
  const wrong = lines.find((line) => !line.startsWith("+"));
  if (wrong !== undefined)
    throw new Error(`Every line of the new file ${brief(path)} must begin with +. This one does not: ${JSON.stringify(brief(wrong))}.`);
  return lines.map((line) => `${line.slice(1)}\n`).join("");
}

interface Draft {
  anchors: string[];
  lines: HunkLine[];
  isAtEnd: boolean;
}

function hunksOf(path: string, body: readonly string[]): readonly Hunk[] {
  const hunks: Draft[] = [];
  const begun = (): Draft => {
    const hunk: Draft = { anchors: [], lines: [], isAtEnd: false };
    hunks.push(hunk);
    return hunk;
  };
  let blanks = 0; // models leave empty lines between parts: they are context only if another line follows
  for (const line of body) {
    const last = hunks.at(-1);
    if (line === "") {
      blanks++;
      continue;
    }
    if (line.trim() === END_OF_FILE) {
      if (last === undefined) throw new Error(`${END_OF_FILE} in the part for ${brief(path)} comes before any line.`);
      last.isAtEnd = true;
    } else if (line.startsWith("@@")) {
      const hunk = last === undefined || last.lines.length > 0 || last.isAtEnd ? begun() : last;
      const anchor = anchorOf(line);
      if (anchor !== "") hunk.anchors.push(anchor);
    } else {
      const hunk = last === undefined || last.isAtEnd ? begun() : last;
      for (; blanks > 0; blanks--) hunk.lines.push({ sign: " ", text: "" });
      hunk.lines.push(hunkLine(path, line));
    }
    blanks = 0;
  }
  return hunks.filter(({ lines, anchors }) => lines.length > 0 || anchors.length > 0);
}

/** Numbers of a unified diff, and the heading behind them, do not say where a hunk is: its lines do. */
function anchorOf(line: string): string {
  if (/^@@ +-\d+(?:,\d+)? +\+\d+(?:,\d+)? +@@/.test(line)) return "";
  return line
    .slice(2)
    .replace(/ @@ *$/, "")
    .trim();
}

function hunkLine(path: string, line: string): HunkLine {
  const sign = line[0];
  if (sign === " " || sign === "+" || sign === "-") return { sign, text: line.slice(1) };
  throw new Error(`Every line of ${brief(path)} must begin with a space, + or -. This one does not: ${JSON.stringify(brief(line))}.`);
}

/** A line or a name in a sentence. */
function brief(text: string): string {
  return clipped(text, 500);
}
