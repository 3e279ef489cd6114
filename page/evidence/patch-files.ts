/** One file of a patch as git writes it. */
export interface PatchFile {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  readonly lines: readonly PatchLine[];
}

export interface PatchLine {
  readonly sign: " " | "+" | "-" | "@";
  readonly text: string;
  /** Where it stands before, and after; 0: nowhere. */
  readonly before: number;
  readonly after: number;
}

/** A patch, file by file. What a patch holds was written by an agent: it is read as text, and nothing in it is believed. */
export function patchFiles(patch: string): readonly PatchFile[] {
  const files: PatchFile[] = [];
  let open: { path: string; added: number; removed: number; lines: PatchLine[] } | undefined;
  let left = [0, 0]; // lines of the hunk that are still to come, before and after
  let at = [0, 0];
  for (const line of patch.split("\n")) {
    const [before = 0, after = 0] = left;
    if (open !== undefined && (before > 0 || after > 0)) {
      const sign = line[0] === "+" || line[0] === "-" ? line[0] : " ";
      if (line[0] === "\\") continue;
      const isBefore = sign !== "+";
      const isAfter = sign !== "-";
      open.lines.push({ sign, text: line.slice(1), before: isBefore ? (at[0] ?? 0) : 0, after: isAfter ? (at[1] ?? 0) : 0 });
      if (sign === "+") open.added++;
      if (sign === "-") open.removed++;
      at = [(at[0] ?? 0) + Number(isBefore), (at[1] ?? 0) + Number(isAfter)];
      left = [before - Number(isBefore), after - Number(isAfter)];
      continue;
    }
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (line.startsWith("diff --git ")) {
      open = { path: nameOf(line), added: 0, removed: 0, lines: [] };
      files.push(open);
    } else if (open === undefined) continue;
    else if (hunk !== null) {
      const [, from = "0", fromCount = "1", to = "0", toCount = "1"] = hunk;
      at = [Number(from), Number(to)];
      left = [Number(fromCount), Number(toCount)];
      open.lines.push({ sign: "@", text: line, before: 0, after: 0 });
    } else if (/^\+\+\+ (?!\/dev\/null)/.test(line)) open.path = pathIn(line.slice(4), "b/");
    else if (/^--- (?!\/dev\/null)/.test(line)) open.path = pathIn(line.slice(4), "a/");
    else if (line.startsWith("rename to ")) open.path = unquoted(line.slice(10));
    else if (/^(new|deleted|old) (file )?mode|^rename from|^Binary|^GIT binary/.test(line))
      open.lines.push({ sign: "@", text: line, before: 0, after: 0 });
  }
  return files;
}

/** Of `diff --git a/x b/x`, where nothing better follows. */
function nameOf(line: string): string {
  const names = line.slice("diff --git ".length);
  const half = names.slice(Math.ceil(names.length / 2));
  return pathIn(half.trim(), "b/");
}

function pathIn(text: string, prefix: string): string {
  const path = unquoted(text.replace(/\t$/, ""));
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

/** git quotes names with odd bytes in them, in octal. */
function unquoted(text: string): string {
  if (!/^".*"$/s.test(text)) return text;
  const bytes: number[] = [];
  const body = text.slice(1, -1);
  for (let i = 0; i < body.length; i++) {
    const octal = /^\\([0-7]{3})/.exec(body.slice(i, i + 4))?.[1];
    if (octal !== undefined) {
      bytes.push(Number.parseInt(octal, 8));
      i += 3;
    } else if (body[i] === "\\") {
      i++;
      bytes.push(...new TextEncoder().encode(escapes.get(body[i] ?? "") ?? body[i] ?? ""));
    } else bytes.push(...new TextEncoder().encode(String.fromCodePoint(body.codePointAt(i) ?? 0)));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
]);
