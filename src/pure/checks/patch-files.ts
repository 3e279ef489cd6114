import { gitPatch, type PatchLine } from "../base/index.ts";

/** The change that a patch makes to one file. */
export interface FilePatch {
  readonly path: string;
  readonly change: "added" | "modified" | "deleted";
  readonly isBinary: boolean;
  /** It is, or was, a symbolic link. */
  readonly isLink?: boolean;
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
    const isLink = lines.some(({ sign, text }) => sign === "@" && text.endsWith(" mode 120000"));
    return { ...file, ...(isLink && { isLink }), added: of("+", ({ after }) => after), removed: of("-", ({ before }) => before) };
  });
}

/** The change of a path; a renamed file is in the patch as one removed and one added. */
export function patchOf(
  { path, was }: { readonly path: string; readonly was?: string | undefined },
  patches: ReadonlyMap<string, FilePatch>,
): FilePatch | undefined {
  const file = patches.get(path);
  const old = was === undefined ? undefined : patches.get(was);
  if (file === undefined || old === undefined) return file;
  return { path, change: "modified", isBinary: file.isBinary || old.isBinary, added: file.added, removed: old.removed };
}

/** Whether the patch shows every added and removed line. A binary patch does not: git encodes what has a NUL byte (UTF-16), or is huge. */
export function isText(file: FilePatch | undefined): file is FilePatch {
  return file !== undefined && !file.isBinary;
}
