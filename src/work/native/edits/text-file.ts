import { isUtf8 } from "node:buffer";
import { OutsideError } from "../workspace-place.ts";

/** A line of a file and what ends it: nothing only for the last one. */
export interface Line {
  readonly text: string;
  readonly end: "\n" | "\r\n" | "";
}

/** A file's text, with everything that is needed to write it back byte for byte. */
export interface TextFile {
  readonly encoding: "UTF-8" | "Latin-1" | "UTF-16LE" | "UTF-16BE";
  readonly hasMark: boolean;
  readonly lines: readonly Line[];
}

const MARK = "\uFEFF";

/** Throws if it is binary. A file that is not UTF-8 and has no NUL is Latin-1, in which every byte is a character. */
export function readText(bytes: Buffer, path: string): TextFile {
  const { encoding, text } = decoded(bytes, path);
  const hasMark = text.startsWith(MARK);
  return { encoding, hasMark, lines: linesOf(hasMark ? text.slice(1) : text) };
}

export function textBytes({ encoding, hasMark, lines }: TextFile, path: string): Buffer {
  const text = (hasMark ? MARK : "") + lines.map((line) => line.text + line.end).join("");
  if (encoding === "UTF-8") return Buffer.from(text, "utf8");
  if (encoding !== "Latin-1") return encoding === "UTF-16LE" ? Buffer.from(text, "utf16le") : Buffer.from(text, "utf16le").swap16();
  const odd = /[^\u0000-\u00ff]/u.exec(text)?.[0];
  if (odd !== undefined) throw new OutsideError(`${path} is in Latin-1, which has no character ${odd}. Use a different one.`);
  return Buffer.from(text, "latin1");
}

/** The lines of a text. A final newline starts no new line. */
export function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let from = 0; from < text.length; ) {
    const at = text.indexOf("\n", from);
    if (at === -1) lines.push({ text: text.slice(from), end: "" });
    else if (at > from && text[at - 1] === "\r") lines.push({ text: text.slice(from, at - 1), end: "\r\n" });
    else lines.push({ text: text.slice(from, at), end: "\n" });
    from = at === -1 ? text.length : at + 1;
  }
  return lines;
}

/** The ending that most lines have. */
export function usualEnd(lines: readonly Line[]): "\n" | "\r\n" {
  const windows = lines.filter(({ end }) => end === "\r\n").length;
  return windows * 2 > lines.filter(({ end }) => end !== "").length ? "\r\n" : "\n";
}

function decoded(bytes: Buffer, path: string): { readonly encoding: TextFile["encoding"]; readonly text: string } {
  if (bytes.length % 2 === 0 && bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: "UTF-16LE", text: bytes.toString("utf16le") };
  if (bytes.length % 2 === 0 && bytes[0] === 0xfe && bytes[1] === 0xff)
    return { encoding: "UTF-16BE", text: Buffer.from(bytes).swap16().toString("utf16le") };
  if (bytes.includes(0)) throw new OutsideError(`${path} is not text (${bytes.length} bytes).`);
  return isUtf8(bytes) ? { encoding: "UTF-8", text: bytes.toString("utf8") } : { encoding: "Latin-1", text: bytes.toString("latin1") };
}
