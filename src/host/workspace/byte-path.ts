import { isUtf8 } from "node:buffer";

/** Maps the system's names, which are bytes, one to one to text. */

/** An invalid UTF-8 byte becomes a lone surrogate, U+DC80 to U+DCFF, which UTF-8 text never contains; JSON writes it as `\udc80`. */
const ESCAPED = /[\uDC80-\uDCFF]/u;
const ALL_ESCAPED = /[\uDC80-\uDCFF]+/gu;
const ESCAPE = 0xdc00;

export function textOf(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  let text = "";
  let valid = 0; // the offset of the valid bytes before `index`, which are decoded together
  for (let index = 0; index < bytes.length; ) {
    const length = sequenceLength(bytes, index);
    if (length > 0) index += length;
    else {
      text += bytes.toString("utf8", valid, index) + String.fromCharCode(ESCAPE + (bytes[index] ?? 0));
      valid = ++index;
    }
  }
  return text + bytes.toString("utf8", valid);
}

/** The length of the UTF-8 sequence at an offset; 0 if it is not valid. */
function sequenceLength(bytes: Buffer, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}

export function bytesOf(text: string): Buffer {
  if (!ESCAPED.test(text)) return Buffer.from(text);
  const bytes = Buffer.allocUnsafe(3 * text.length);
  let length = 0;
  let plain = 0; // the index of the text after the last escaped byte
  for (const { 0: escaped, index } of text.matchAll(ALL_ESCAPED)) {
    length += bytes.write(text.slice(plain, index), length);
    for (let i = 0; i < escaped.length; i++) bytes[length++] = escaped.charCodeAt(i) - ESCAPE;
    plain = index + escaped.length;
  }
  length += bytes.write(text.slice(plain), length);
  return Buffer.from(bytes.subarray(0, length));
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
