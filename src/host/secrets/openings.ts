import { findBytes, type Place } from "./find-bytes.ts";

/** Recognizes secrets that are not complete yet. */
export interface Openings {
  /** Every range that a complete one covers. */
  find(bytes: Uint8Array): readonly Place[];
  /** How many bytes before `end` may be the beginning of a secret: the most that fit, and 0 if none do. None is before `start`. */
  at(bytes: Uint8Array, start: number, end: number): number;
  /** Whether these two bytes follow each other in any secret. */
  follows(before: number, after: number): boolean;
}

/** Of these forms, and of what they become in base64 and hex: a text that is still being printed cannot be decoded. Not in UTF-16. */
export function openingsOf(plain: readonly Buffer[]): Openings {
  const forms = plain.filter((form) => !form.includes(0)).flatMap((form) => [form, ...encoded(form)]);
  const firsts = new Uint8Array(0x100);
  const pairs = new Uint8Array(0x10000);
  const heads = new Uint8Array(0x10000);
  const byHead = new Map<number, Buffer[]>();
  let longest = 0;
  for (const form of forms) {
    firsts[form[0] ?? 0] = 1;
    for (let i = 1; i < form.length; i++) pairs[form.readUInt16BE(i - 1)] = 1;
    const head = form.readUInt16BE(0);
    heads[head] = 1;
    const same = byHead.get(head);
    if (same === undefined) byHead.set(head, [form]);
    else same.push(form);
    longest = Math.max(longest, form.length);
  }

  return {
    find: findBytes(forms),
    follows: (before, after) => pairs[(before << 8) | after] === 1,
    at(bytes, start, end) {
      if (start >= end) return 0;
      const last = bytes[end - 1] ?? 0;
      if (end - start > 1 && pairs[((bytes[end - 2] ?? 0) << 8) | last] === 1) {
        for (let from = Math.max(start, end - longest + 1); from < end - 1; from++) {
          const head = ((bytes[from] ?? 0) << 8) | (bytes[from + 1] ?? 0);
          if (heads[head] === 0) continue;
          const size = end - from;
          if (
            byHead.get(head)?.some((form) => form.length > size && form[size - 1] === last && form.compare(bytes, from, end, 0, size) === 0)
          )
            return size;
        }
      }
      return firsts[last] ?? 0;
    },
  };
}

/** The signs of base64 that depend on these bytes alone, for each of the three places in a group, and their digits. */
function encoded(form: Buffer): Buffer[] {
  const signs = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), form]).toString("base64url");
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + form.length) * 8) / 6));
  });
  const standard = signs.map((text) => text.replaceAll("-", "+").replaceAll("_", "/"));
  const hex = form.toString("hex");
  return [...new Set([...signs, ...standard, hex, hex.toUpperCase()])].map((text) => Buffer.from(text));
}
