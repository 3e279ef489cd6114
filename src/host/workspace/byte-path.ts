import { isUtf8 } from "node:buffer";

/** Maps the system's names, which are bytes, one to one to text. */

/** An invalid UTF-8 byte becomes a lone surrogate, U+DC80 to U+DCFF, which UTF-8 text never contains; JSON writes it as `\udc80`. */
const ESCAPED = /[\uDC80-\uDCFF]/u;
const ESCAPE = 0xdc00;

export function textOf(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  let text = "";
  for (let index = 0; index < bytes.length; ) {
    const lead = bytes[index] ?? 0;
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    const sequence = bytes.subarray(index, index + length);
    const whole = sequence.length === length && isUtf8(sequence);
    text += whole ? sequence.toString("utf8") : String.fromCharCode(ESCAPE + lead);
    index += whole ? length : 1;
  }
  return text;
}

export function bytesOf(text: string): Buffer {
  if (!ESCAPED.test(text)) return Buffer.from(text);
  return Buffer.concat(Array.from(text, (char) => (ESCAPED.test(char) ? Buffer.of(char.charCodeAt(0) - ESCAPE) : Buffer.from(char))));
}

/** A path for system calls: text if possible, because it is faster. */
export function systemPath(base: string | Buffer, name: string): string | Buffer {
  if (typeof base === "string" && !ESCAPED.test(name)) return `${base}/${name}`;
  return Buffer.concat([typeof base === "string" ? Buffer.from(base) : base, Buffer.from("/"), bytesOf(name)]);
}

/** The order of every manifest: name by name, a directory right before its contents. */
export function comparePaths(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return left === SLASH ? -1 : right === SLASH ? 1 : left - right;
  }
  return a.length - b.length;
}

const SLASH = 0x2f;

/** Whether the path is inside a `.git`. Patches leave these out; manifests do not. */
export function insideGit(path: string): boolean {
  return path.split("/").includes(".git");
}
