/** What a patch does to one file. Lines are without their sign and newline. */
export interface FilePatch {
  readonly path: string;
  readonly change: "added" | "modified" | "deleted";
  readonly isBinary: boolean;
  readonly added: readonly PatchLine[];
  readonly removed: readonly PatchLine[];
}

export interface PatchLine {
  /** Its number in the file after, or before where it was removed. */
  readonly line: number;
  readonly text: string;
}

type Open = { path: string; change: FilePatch["change"]; isBinary: boolean; added: PatchLine[]; removed: PatchLine[] };

/** Reads a patch in git's format. Every line is counted by its hunk, so that no contents are taken for a header. */
export function patchFiles(patch: string): readonly FilePatch[] {
  const files: Open[] = [];
  let file: Open | undefined;
  let left = { before: 0, after: 0 }; // lines of the hunk that are still to come
  let at = { before: 0, after: 0 };
  for (const text of lines(patch)) {
    if (file !== undefined && (left.before > 0 || left.after > 0)) {
      const sign = text[0];
      if (sign === "+") file.added.push({ line: at.after, text: text.slice(1) });
      else if (sign === "-") file.removed.push({ line: at.before, text: text.slice(1) });
      if (sign === "\\") continue;
      if (sign !== "+") at = { ...at, before: at.before + 1 };
      if (sign !== "-") at = { ...at, after: at.after + 1 };
      left = { before: left.before - (sign === "+" ? 0 : 1), after: left.after - (sign === "-" ? 0 : 1) };
      continue;
    }
    if (text.startsWith("diff --git ")) {
      file = { path: pathOf(text.slice("diff --git ".length)), change: "modified", isBinary: false, added: [], removed: [] };
      files.push(file);
    } else if (file === undefined) continue;
    else if (text.startsWith("new file mode")) file.change = "added";
    else if (text.startsWith("deleted file mode")) file.change = "deleted";
    else if (text.startsWith("GIT binary patch")) file.isBinary = true;
    else {
      const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
      if (hunk === null) continue;
      at = { before: Number(hunk[1]), after: Number(hunk[3]) };
      left = { before: Number(hunk[2] ?? 1), after: Number(hunk[4] ?? 1) };
    }
  }
  return files;
}

function* lines(text: string): Generator<string> {
  let from = 0;
  for (let to = text.indexOf("\n"); to !== -1; to = text.indexOf("\n", from)) {
    yield text.slice(from, to);
    from = to + 1;
  }
  if (from < text.length) yield text.slice(from);
}

/** `a/x b/x`: both sides are the same path, quoted where it holds what git quotes. */
function pathOf(sides: string): string {
  if (!sides.startsWith('"')) return sides.slice(2, (sides.length - 1) / 2);
  const inner = /^"((?:[^"\\]|\\.)*)"/.exec(sides)?.[1] ?? "";
  return unquoted(inner).slice(2);
}

const LETTERS: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** C's escapes, one character a byte as in the rest of the patch; then as UTF-8 where it is that. */
function unquoted(text: string): string {
  const bytes = text.replace(/\\([0-7]{3}|.)/g, (_, code: string) =>
    String.fromCharCode(code.length === 3 ? Number.parseInt(code, 8) : (LETTERS[code] ?? code.charCodeAt(0))),
  );
  try {
    return decodeURIComponent(bytes.replace(/[%\u0080-\u00ff]/g, (char) => `%${char.charCodeAt(0).toString(16)}`));
  } catch {
    return bytes;
  }
}
