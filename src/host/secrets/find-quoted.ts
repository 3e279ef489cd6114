import type { Place } from "./find-bytes.ts";

/** A character that is spelled differently although no writer needs to, or that HTML must spell: only then a text is searched again. */
const TELLTALE =
  /\\(?:u00|x)(?:00|2[dD]|5[fF]|3\d|[46][1-9a-fA-F]|[57][0-9aA])|&(?:amp|lt|gt|quot|apos|#)|%(?:00|3\d|[46][1-9a-fA-F]|[57][0-9aA])/;

const SPELLED =
  /\\{1,8}u([0-9a-fA-F]{4})|\\{1,8}x([0-9a-fA-F]{2})|&#(\d{1,7});|&#[xX]([0-9a-fA-F]{1,6});|&(amp|lt|gt|quot|apos);|%([0-9a-fA-F]{2})/g;
const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Bytes as digits with something between them: `73 6b`, `73:6b`, `0x73, 0x6b`. */
const DIGITS = /(?:(?:0[xX])?[0-9a-fA-F]{2}[ :,-]{1,2}){7,}(?:0[xX])?[0-9a-fA-F]{2}/g;

/** How often a spelling may be spelled again: a URL in HTML, HTML in JSON. */
const ROUNDS = 3;

/** The most bytes that the spelling of one byte takes. */
export const LONGEST_SPELLING = 12;

/** Bytes, and the place of each in the original. */
interface Plain {
  readonly bytes: Buffer;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/**
 * The places of what is found after all spellings are replaced: escapes of JSON, HTML and URLs for characters that need none (`\u0043`,
 * `&#67;`, `%43`), and hex with separators. No place contains a newline.
 */
export function quotedPlaces(bytes: Uint8Array, find: (bytes: Uint8Array) => readonly Place[]): Place[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const places: Place[] = [];
  const search = ({ bytes: plain, starts, ends }: Plain) => {
    for (const { start, end } of find(plain)) {
      const place = { start: starts[start] ?? 0, end: ends[end - 1] ?? 0 };
      if (!text.slice(place.start, place.end).includes("\n")) places.push(place);
    }
  };
  if (TELLTALE.test(text) && isSpelled(text, find)) {
    let now: Plain | undefined;
    for (let round = 0; round < ROUNDS; round++) {
      const next = unspelled(now?.bytes.toString("latin1") ?? text, now);
      if (next === undefined) break;
      search(next);
      now = next;
    }
  }
  for (const { start, end } of stretches(bytes))
    for (const { 0: run, index } of text.slice(start, end).matchAll(DIGITS)) search(fromDigits(run, start + index));
  return places;
}

/** Whether anything is found: without the places, which cost far more than the text. */
function isSpelled(text: string, find: (bytes: Uint8Array) => readonly Place[]): boolean {
  let now = text;
  for (let round = 0; round < ROUNDS; round++) {
    const next = now.replace(SPELLED, (...match) => Buffer.from(bytesOf(match)).toString("latin1"));
    if (next === now) return false;
    if (find(Buffer.from(next, "latin1")).length > 0) return true;
    now = next;
  }
  return false;
}

/** The fewest bytes that `DIGITS` matches, and all that it may match. */
const SHORTEST_STRETCH = 23;
const SEPARATED = new Uint8Array(256);
for (const byte of Buffer.from("0123456789abcdefABCDEFxX :,-")) SEPARATED[byte] = 1;

/** The parts that may be digits with separators. */
function* stretches(bytes: Uint8Array): Generator<Place> {
  for (let i = SHORTEST_STRETCH - 1; i < bytes.length; i += SHORTEST_STRETCH) {
    if (SEPARATED[bytes[i] ?? 0] === 0) continue;
    let start = i;
    while (start > 0 && SEPARATED[bytes[start - 1] ?? 0] === 1) start--;
    while (i < bytes.length && SEPARATED[bytes[i] ?? 0] === 1) i++;
    if (i - start >= SHORTEST_STRETCH) yield { start, end: i };
  }
}

/** Undefined if nothing is spelled differently. */
function unspelled(text: string, before: Plain | undefined): Plain | undefined {
  const bytes = Buffer.alloc(text.length);
  const starts = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  let length = 0;
  let done = 0;
  const put = (byte: number, from: number, to: number) => {
    bytes[length] = byte;
    starts[length] = before?.starts[from] ?? from;
    ends[length++] = before?.ends[to - 1] ?? to;
  };
  const copy = (to: number) => {
    for (; done < to; done++) put(text.charCodeAt(done), done, done + 1);
  };
  for (const match of text.matchAll(SPELLED)) {
    copy(match.index);
    done = match.index + match[0].length;
    for (const byte of bytesOf(match)) put(byte, match.index, done);
  }
  if (done === 0) return undefined;
  copy(text.length);
  return { bytes: bytes.subarray(0, length), starts, ends };
}

/** Never more than it is spelled with. */
function bytesOf([, unicode, hex, decimal, entity, name, percent]: readonly string[]): Uint8Array {
  const byte = hex ?? percent;
  if (byte !== undefined) return Uint8Array.of(Number.parseInt(byte, 16));
  if (name !== undefined) return Buffer.from(NAMED[name] ?? "");
  const code = decimal === undefined ? Number.parseInt(unicode ?? entity ?? "", 16) : Number(decimal);
  return code > 0x10ffff ? new Uint8Array() : Buffer.from(String.fromCodePoint(code));
}

function fromDigits(run: string, index: number): Plain {
  const found = Array.from(run.matchAll(/(?:0[xX])?([0-9a-fA-F]{2})/g));
  return {
    bytes: Buffer.from(found.map(([, digits = ""]) => digits).join(""), "hex"),
    starts: Uint32Array.from(found, (match) => index + match.index),
    ends: Uint32Array.from(found, (match) => index + match.index + match[0].length),
  };
}
