import { isUtf8 } from "node:buffer";
import { OutsideError } from "../workspace-place.ts";

/** A file's text; refuses what is none. */
export function fileText(bytes: Buffer, path: string): string {
  if (bytes.includes(0) || !isUtf8(bytes)) throw new OutsideError(`${path} is no text (${bytes.length} bytes).`);
  return bytes.toString("utf8");
}

/** The lines of a text, without their ends. A last newline begins no line. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
