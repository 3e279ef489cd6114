import { deflateSync } from "node:zlib";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
const LINE = 52;

/** Contents as a git binary patch: deflated, in base 85 lines that start with their length in bytes. */
export function gitBinary(contents: Buffer): string {
  const packed = deflateSync(contents);
  const lines = ["GIT binary patch", `literal ${contents.length}`];
  for (let start = 0; start < packed.length; start += LINE) lines.push(lineOf(packed.subarray(start, start + LINE)));
  return `${lines.join("\n")}\n\n`;
}

function lineOf(bytes: Buffer): string {
  const length = bytes.length;
  let text = String.fromCharCode(length <= 26 ? 0x40 + length : 0x60 + length - 26);
  for (let start = 0; start < length; start += 4) {
    let value = 0;
    for (let index = 0; index < 4; index++) value = value * 256 + (bytes[start + index] ?? 0);
    let group = "";
    for (let index = 0; index < 5; index++) {
      group = (ALPHABET[value % 85] ?? "") + group;
      value = Math.floor(value / 85);
    }
    text += group;
  }
  return text;
}
