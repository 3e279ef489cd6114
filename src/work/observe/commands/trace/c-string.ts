const LETTERS: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, v: 11, f: 12, a: 7, b: 8, e: 27 };

/** The bytes of a C string literal. */
export function bytesIn(text: string): Buffer {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? "";
    if (char !== "\\") {
      bytes.push(...Buffer.from(char));
      continue;
    }
    const octal = /^[0-7]{1,3}/.exec(text.slice(at + 1, at + 4))?.[0];
    const next = text[at + 1] ?? "";
    bytes.push(octal === undefined ? (LETTERS[next] ?? next.charCodeAt(0)) : Number.parseInt(octal, 8) & 0xff);
    at += octal?.length ?? 1;
  }
  return Buffer.from(bytes);
}

/** Decodes a C string literal: its bytes, read as UTF-8. */
export function unescaped(text: string): string {
  return text.includes("\\") ? bytesIn(text).toString("utf8") : text;
}
