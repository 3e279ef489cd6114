import { gitPatch } from "../../../pure/base/index.ts";

/** One file of a patch: which side is complete in it, with its contents, one character per byte. */
export interface PatchPart {
  readonly path: string;
  /** The side whose contents the patch has in full; undefined for a file that was modified. */
  readonly side: "before" | "after" | undefined;
  /** Undefined for a binary or modified file. */
  readonly contents: string | undefined;
  /** Every hunk has as many lines as it announces, and nothing stands between hunks. */
  readonly isWhole: boolean;
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
const HEADER = new RegExp(
  [
    String.raw`^diff --git .*\n`,
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
  const sign = side === "after" ? "+" : "-";
  let contents = "";
  const [header = ""] = HEADER.exec(text) ?? [];
  let isWhole = file !== undefined && header !== "";
  let left = { before: 0, after: 0 };
  let last = "";
  for (const line of text.slice(header.length).split(/(?<=\n)/)) {
    const announced = HUNK.exec(line);
    if (left.before === 0 && left.after === 0) {
      if (announced !== null) left = { before: Number(announced[1] ?? 1), after: Number(announced[2] ?? 1) };
      else if (line.startsWith("\\")) contents = last === sign ? contents.replace(/\n$/, "") : contents;
      else if (file?.isBinary) break;
      else if (line !== "") isWhole = false;
      continue;
    }
    if (line.startsWith("\\")) {
      contents = last === sign ? contents.replace(/\n$/, "") : contents;
      continue;
    }
    last = line[0] ?? "";
    if (![" ", "+", "-"].includes(last)) isWhole = false;
    if (last === sign) contents += line.slice(1);
    left = { before: left.before - (last === "+" ? 0 : 1), after: left.after - (last === "-" ? 0 : 1) };
  }
  const isComplete = isWhole && left.before === 0 && left.after === 0;
  return { path: file?.path ?? "", side, contents: side === undefined || file?.isBinary ? undefined : contents, isWhole: isComplete };
}
