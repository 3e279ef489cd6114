import { gitPatch, type PatchLine } from "../base/index.ts";

/** The change that a patch makes to one file. */
export interface FilePatch {
  readonly path: string;
  readonly change: "added" | "modified" | "deleted";
  readonly isBinary: boolean;
  readonly added: readonly NumberedLine[];
  readonly removed: readonly NumberedLine[];
}

interface NumberedLine {
  /** The line number after the change; for a removed line, before it. */
  readonly line: number;
  readonly text: string;
}

export function patchFiles(patch: string): readonly FilePatch[] {
  return gitPatch(patch).map(({ lines, ...file }) => {
    const of = (sign: "+" | "-", line: (each: PatchLine) => number) =>
      lines.filter((each) => each.sign === sign).map((each) => ({ line: line(each), text: each.text }));
    return { ...file, added: of("+", ({ after }) => after), removed: of("-", ({ before }) => before) };
  });
}
