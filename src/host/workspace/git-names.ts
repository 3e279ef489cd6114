import { bytesOf } from "./byte-path.ts";

const ESCAPES = new Map([
  [0x07, "a"],
  [0x08, "b"],
  [0x09, "t"],
  [0x0a, "n"],
  [0x0b, "v"],
  [0x0c, "f"],
  [0x0d, "r"],
  [0x22, '"'],
  [0x5c, "\\"],
]);

/**
 * A name in a patch as git writes it, with quotes and octal bytes if needed. We also quote names with a space, which git does not quote and
 * then cannot always read back: "header lacks filename information" for an empty file `a /b` (git 2.39).
 */
export function quoted(path: string): string {
  if (/^[\x21\x23-\x5b\x5d-\x7e]*$/.test(path)) return path;
  const text = Array.from(bytesOf(path), (byte) => {
    const letter = ESCAPES.get(byte);
    if (letter !== undefined) return `\\${letter}`;
    return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`;
  });
  return `"${text.join("")}"`;
}

/** Names that git treats as its own directory, including those on the file systems of other platforms. */
const DOT_GIT = /^(\.git|git~1)[ .]*(:.*)?$/is;
const DOT_GITMODULES = /^(\.gitmodules|gitmod~[1-4]|gi7eba?~\d+|gi7eb~\d+)[ .]*(:.*)?$/is;

/** Whether git would reject the path (`verify_path` in its sources): "invalid path" would make the whole patch fail. */
export function gitRefuses(path: string, isLink: boolean): boolean {
  const names = path.split("/");
  return names.some((name) => DOT_GIT.test(name)) || (isLink && DOT_GITMODULES.test(names.at(-1) ?? ""));
}
