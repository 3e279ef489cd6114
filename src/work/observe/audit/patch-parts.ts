import { gitPatch } from "../../../pure/base/index.ts";

/** One file of a patch, with its contents before and after as far as the patch has them, one character per byte. */
export interface PatchPart {
  readonly path: string;
  /** The side whose contents the patch has in full; undefined for a file that was modified. */
  readonly side: "before" | "after" | undefined;
  /** Undefined for a binary file, and for a change of permissions only. */
  readonly lines: { readonly before: string; readonly after: string } | undefined;
  /** Every hunk has as many lines as it announces, and nothing stands between hunks. */
  readonly isWhole: boolean;
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
const HEADER = new RegExp(
  [
    String.raw`^diff --git .*\n`,
    "(?=new |deleted |old |index )", // a file without any change is not in a patch
    String.raw`(?:(?:new|deleted) file mode \d{6}\n|old mode \d{6}\nnew mode \d{6}\n)?`,
    String.raw`(?:index [0-9a-f]{40}\.\.[0-9a-f]{40}(?: \d{6})?\n(?:--- .*\n\+\+\+ .*\n(?=@@ )|(?=GIT binary patch\n)|$))?`,
  ].join(""),
);

/** Reads our own patches strictly, one character per byte. */
export function patchParts(text: string): readonly PatchPart[] {
  return text
    .split(/^(?=diff --git )/m)
    .filter((part) => part !== "")
    .map(partOf);
}

function partOf(text: string): PatchPart {
  const [file] = gitPatch(Buffer.from(text, "latin1").toString());
  const side = file?.change === "added" ? "after" : file?.change === "deleted" ? "before" : undefined;
  const lines = { before: "", after: "" };
  const [header = ""] = HEADER.exec(text) ?? [];
  let isWhole = file !== undefined && header !== "";
  let hasHunks = false;
  let left = { before: 0, after: 0 };
  let last: readonly (keyof typeof lines)[] = [];
  for (const line of linesFrom(text, header.length)) {
    if (line.startsWith("\\")) {
      for (const each of last) if (lines[each].endsWith("\n")) lines[each] = lines[each].slice(0, -1);
      continue;
    }
    if (left.before === 0 && left.after === 0) {
      const announced = HUNK.exec(line);
      if (announced !== null) left = { before: Number(announced[1] ?? 1), after: Number(announced[2] ?? 1) };
      else if (file?.isBinary) break;
      else if (line !== "") isWhole = false;
      hasHunks ||= announced !== null;
      continue;
    }
    last = SIDES[line[0] ?? ""] ?? [];
    if (last.length === 0) isWhole = false;
    for (const each of last) lines[each] += line.slice(1);
    left = { before: left.before - (last.includes("before") ? 1 : 0), after: left.after - (last.includes("after") ? 1 : 0) };
  }
  const isText = file?.isBinary !== true && (hasHunks || side !== undefined);
  return {
    path: file?.path ?? "",
    side,
    lines: isText ? lines : undefined,
    isWhole: isWhole && left.before === 0 && left.after === 0,
  };
}

/** Each line with its newline. Splitting by an expression took twice as long. */
function* linesFrom(text: string, start: number): Generator<string> {
  let from = start;
  for (let end = text.indexOf("\n", from); end !== -1; end = text.indexOf("\n", from)) {
    yield text.slice(from, end + 1);
    from = end + 1;
  }
  if (from < text.length) yield text.slice(from);
}

/** The sides that have a line of a hunk, by its first character. */
const SIDES: Readonly<Record<string, readonly ("before" | "after")[]>> = { " ": ["before", "after"], "-": ["before"], "+": ["after"] };
