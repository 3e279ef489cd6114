/** One file of a patch. */
export interface PatchFile {
  readonly path: string;
  readonly change: "added" | "modified" | "deleted";
  readonly isBinary: boolean;
  readonly lines: readonly PatchLine[];
}

export interface PatchLine {
  /** `@` marks a line about the file or a hunk. */
  readonly sign: " " | "+" | "-" | "@";
  /** Without sign and newline. */
  readonly text: string;
  /** The line number before and after the change; 0 if the line does not exist there. */
  readonly before: number;
  readonly after: number;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const ABOUT = /^(?:new|deleted|old) (?:file )?mode|^rename from|^Binary|^GIT binary/;

/** Reads a patch in git's format. Hunk headers say how many lines follow, so contents are never mistaken for a header. */
export function gitPatch(patch: string): readonly PatchFile[] {
  const files: { path: string; change: PatchFile["change"]; isBinary: boolean; lines: PatchLine[] }[] = [];
  let left = { before: 0, after: 0 }; // remaining lines of the hunk
  let at = { before: 0, after: 0 };
  for (const text of linesOf(patch)) {
    const file = files.at(-1);
    if (file !== undefined && (left.before > 0 || left.after > 0)) {
      if (text.startsWith("\\")) continue;
      const sign = text[0] === "+" || text[0] === "-" ? text[0] : " ";
      const [before, after] = [sign === "+" ? 0 : 1, sign === "-" ? 0 : 1];
      file.lines.push({ sign, text: text.slice(1), before: before && at.before, after: after && at.after });
      at = { before: at.before + before, after: at.after + after };
      left = { before: left.before - before, after: left.after - after };
      continue;
    }
    if (text.startsWith("diff --git ")) files.push({ path: namedBy(text.slice(11)), change: "modified", isBinary: false, lines: [] });
    if (file === undefined || text.startsWith("diff --git ")) continue;
    const [head, from = "0", fromCount = "1", to = "0", toCount = "1"] = HUNK.exec(text) ?? [];
    if (head !== undefined) {
      at = { before: Number(from), after: Number(to) };
      left = { before: Number(fromCount), after: Number(toCount) };
    }
    if (head !== undefined || ABOUT.test(text)) file.lines.push({ sign: "@", text, before: 0, after: 0 });
    if (text.startsWith("new file mode")) file.change = "added";
    else if (text.startsWith("deleted file mode")) file.change = "deleted";
    else if (text.startsWith("GIT binary patch")) file.isBinary = true;
    else if (/^(?:\+\+\+|---) (?!\/dev\/null)/.test(text)) file.path = pathIn(text.slice(4));
    else if (text.startsWith("rename to ")) file.path = unquoted(text.slice(10));
  }
  return files;
}

function* linesOf(text: string): Generator<string> {
  let from = 0;
  for (let to = text.indexOf("\n"); to !== -1; to = text.indexOf("\n", from)) {
    yield text.slice(from, to);
    from = to + 1;
  }
  if (from < text.length) yield text.slice(from);
}

/** `a/x b/x`: both sides are the same path, unless a later line gives a different one. */
function namedBy(sides: string): string {
  return pathIn(sides.slice(Math.ceil(sides.length / 2)).trim());
}

function pathIn(side: string): string {
  return unquoted(side.replace(/\t$/, "")).replace(/^[ab]\//, "");
}

const LETTERS: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** Git quotes names with C escapes, one per byte. The bytes are decoded as UTF-8 if they are valid. */
function unquoted(text: string): string {
  if (!/^".*"$/s.test(text)) return text;
  const bytes = text
    .slice(1, -1)
    .replace(/\\([0-7]{3}|.)/g, (_, code: string) =>
      String.fromCharCode(code.length === 3 ? Number.parseInt(code, 8) : (LETTERS[code] ?? code.charCodeAt(0))),
    );
  try {
    return decodeURIComponent(bytes.replace(/[%\u0080-\u00ff]/g, (char) => `%${char.charCodeAt(0).toString(16)}`));
  } catch {
    return bytes;
  }
}
