import { isUtf8 } from "node:buffer";
import { OutsideError } from "../workspace-place.ts";

/** A file's text; throws if it is binary. */
export function fileText(bytes: Buffer, path: string): string {
  if (bytes.includes(0) || !isUtf8(bytes)) throw new OutsideError(`${path} is not text (${bytes.length} bytes).`);
  return bytes.toString("utf8");
}

/** The lines of a text, without their ends. A final newline starts no new line. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
