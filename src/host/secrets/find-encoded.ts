import { type Place, placeList } from "./find-bytes.ts";
import type { FindSecrets } from "./find-forms.ts";
import { LONGEST_SPELLING, quotedPlaces } from "./find-quoted.ts";
import { FULL_LINE, isFullLine, NO_SIGN, SIGNS, signTable } from "./full-line.ts";
import { symbolSearch } from "./symbol-search.ts";

/** Encoded bytes take at most four signs each, and `SLACK` for line breaks and the line before. */
const SIGNS_PER_BYTE = 4;
const SLACK = 4 * FULL_LINE;

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const SLASH = 0x2f;

const DIGITS = signTable("0123456789abcdef");
for (const [index, letter] of Array.from("ABCDEF").entries()) DIGITS[letter.charCodeAt(0)] = 10 + index;

/** Base32, in either case. */
const LETTERS = signTable("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567");
for (const [index, letter] of Array.from("abcdefghijklmnopqrstuvwxyz").entries()) LETTERS[letter.charCodeAt(0)] = index;

const NO_BYTES = new Uint8Array();
const FEWEST_SIGNS = 11; // eight bytes in base64
const FEWEST_DIGITS = 16;
const FEWEST_LETTERS = 13; // eight bytes in base32

/**
 * Also finds what is spelled with needless escapes, and what is encoded in base64, base32 or hex, at any offset and with line breaks: as bytes,
 * in JSON (`\n`, `\\n`) or in a URL (`%0A`). If the forms are known, it first searches for their letters. It decodes what may be encoded only if
 * the first letters of a form are there, and searches the result.
 */
export function findEncoded(plain: FindSecrets): FindSecrets {
  if (plain.longest === 0) return plain;
  const widest = plain.longest * SIGNS_PER_BYTE;
  let mayHold: ((bytes: Uint8Array) => boolean) | undefined;
  return {
    longest: Math.max(widest + SLACK, plain.longest * LONGEST_SPELLING),
    spansLines: true,
    get openings() {
      return plain.openings;
    },
    find(bytes) {
      const places = [...plain.find(bytes), ...quotedPlaces(bytes, (part) => plain.find(part))];
      mayHold ??= encodedSearch(plain.forms);
      if (mayHold(bytes) || mayHold(withoutBreaks(bytes)))
        for (const run of runsIn(bytes)) addDecoded(run, bytes, plain, widest + SLACK / 2, places);
      if (places.length < 2) return places;
      const merged = placeList();
      for (const { start, end } of places.sort((a, b) => a.start - b.start)) merged.add(start, end);
      return merged.all;
    },
  };
}

function encodedSearch(forms: readonly Uint8Array[] | undefined): (bytes: Uint8Array) => boolean {
  if (forms === undefined) return () => true;
  const alphabets = [
    { values: SIGNS, bits: 6 },
    { values: DIGITS, bits: 4 },
    { values: LETTERS, bits: 5 },
  ];
  const searches = alphabets.map((alphabet) => symbolSearch(alphabet, forms));
  return (bytes) => searches.some((search) => search(bytes));
}

const SPECIAL = new Uint8Array(256);
for (const byte of [NEWLINE, RETURN, BACKSLASH, PERCENT]) SPECIAL[byte] = 1;

/** The runs of signs with line breaks or different spellings in them, without the breaks and in one spelling, each between two zeros. */
function withoutBreaks(bytes: Uint8Array): Uint8Array {
  let joined: Buffer | undefined;
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    if (SPECIAL[bytes[i] ?? 0] === 0) continue;
    if (tokenAt(bytes, i).size === 0) continue;
    joined ??= Buffer.allocUnsafe(bytes.length + 1);
    let start = i;
    while (start > 0 && SIGNS[bytes[start - 1] ?? 0] !== NO_SIGN) start--;
    const before = length;
    for (i = start; i < bytes.length; ) {
      const byte = bytes[i] ?? 0;
      if (SIGNS[byte] !== NO_SIGN) {
        joined[length++] = byte;
        i++;
        continue;
      }
      const { size, value } = tokenAt(bytes, i);
      if (size === 0) break;
      if (value !== undefined) joined[length++] = value === 62 ? 0x2b : SLASH;
      i += size;
    }
    if (length - before < FEWEST_SIGNS) length = before;
    else joined[length++] = 0;
    i--;
  }
  return joined === undefined ? NO_BYTES : joined.subarray(0, length);
}

/** Signs that follow each other, apart from line breaks. Valid until the next run is requested. */
interface Run {
  readonly length: number;
  /** The value of each sign, its start and its end in the bytes. */
  readonly signs: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

function* runsIn(bytes: Uint8Array): Generator<Run> {
  const signs = new Uint8Array(bytes.length);
  const starts = new Uint32Array(bytes.length);
  const ends = new Uint32Array(bytes.length);
  let length = 0;
  let i = 0;
  const put = (sign: number, size: number): void => {
    signs[length] = sign;
    starts[length] = i;
    ends[length++] = i + size;
    i += size;
  };
  while (i < bytes.length) {
    const sign = SIGNS[bytes[i] ?? 0] ?? NO_SIGN;
    if (sign !== NO_SIGN) {
      put(sign, 1);
      continue;
    }
    const { size, value } = tokenAt(bytes, i);
    if (value !== undefined) put(value, size);
    else if (size > 0) i += size;
    else {
      if (length >= FEWEST_SIGNS) yield { length, signs, starts, ends };
      length = 0;
      i++;
    }
  }
  if (length >= FEWEST_SIGNS) yield { length, signs, starts, ends };
}

interface Token {
  /** 0: the run ends here. */
  readonly size: number;
  /** Undefined for a line break. */
  readonly value?: number;
}

const NOTHING: Token = { size: 0 };

/** A line break, or a sign in a different spelling. */
function tokenAt(bytes: Uint8Array, i: number): Token {
  const byte = bytes[i];
  if (byte === NEWLINE) return isFullLine(bytes, i) ? { size: 1 } : NOTHING;
  if (byte === RETURN) return bytes[i + 1] === NEWLINE && isFullLine(bytes, i + 1) ? { size: 2 } : NOTHING;
  if (byte === BACKSLASH) {
    let end = i;
    while (bytes[end] === BACKSLASH && end - i < 4) end++;
    const letter = bytes[end];
    if (letter === SLASH) return { size: end + 1 - i, value: 63 };
    return letter === 0x6e || letter === 0x72 ? { size: end + 1 - i } : NOTHING; // n, r
  }
  if (byte !== PERCENT) return NOTHING;
  const code = Buffer.from(bytes.subarray(i + 1, i + 3))
    .toString("latin1")
    .toUpperCase();
  return { "2B": { size: 3, value: 62 }, "2F": { size: 3, value: 63 }, "0A": { size: 3 }, "0D": { size: 3 } }[code] ?? NOTHING;
}

function addDecoded(run: Run, bytes: Uint8Array, plain: FindSecrets, widest: number, places: Place[]): void {
  const add = (first: number, last: number): void => {
    const start = run.starts[first] ?? 0;
    const end = run.ends[last] ?? 0;
    if (end - start <= widest) places.push(...linesOf(bytes, start, end));
  };
  for (let phase = 0; phase < 4; phase++) {
    for (const { start, end } of plain.find(fromBase64(run, phase)))
      add(phase + Math.floor((start * 8) / 6), phase + Math.ceil((end * 8) / 6) - 1);
  }
  for (let from = 0; from < run.length; ) {
    let to = from;
    while (to < run.length && digitAt(run, bytes, to) !== NO_SIGN) to++;
    if (to - from >= FEWEST_DIGITS) {
      for (const first of [from, from + 1])
        for (const { start, end } of plain.find(fromHex(run, bytes, first, to))) add(first + 2 * start, first + 2 * end - 1);
    }
    from = to + 1;
  }
  for (let from = 0; from < run.length; ) {
    let to = from;
    while (to < run.length && letterAt(run, bytes, to) !== NO_SIGN) to++;
    if (to - from >= FEWEST_LETTERS) {
      for (let first = from; first < from + 8; first++)
        for (const { start, end } of plain.find(fromBase32(run, bytes, first, to)))
          add(first + Math.floor((start * 8) / 5), first + Math.ceil((end * 8) / 5) - 1);
    }
    from = to + 1;
  }
}

function letterAt({ starts }: Run, bytes: Uint8Array, index: number): number {
  return LETTERS[bytes[starts[index] ?? 0] ?? 0] ?? NO_SIGN;
}

function fromBase32(run: Run, bytes: Uint8Array, from: number, to: number): Buffer {
  const decoded = Buffer.alloc(Math.max(0, Math.floor(((to - from) * 5) / 8)));
  let bits = 0;
  let count = 0;
  let at = 0;
  for (let i = from; i < to; i++) {
    bits = ((bits << 5) | letterAt(run, bytes, i)) & 0xfff;
    count += 5;
    if (count < 8) continue;
    count -= 8;
    decoded[at++] = bits >> count;
  }
  return decoded;
}

function digitAt({ starts }: Run, bytes: Uint8Array, index: number): number {
  return DIGITS[bytes[starts[index] ?? 0] ?? 0] ?? NO_SIGN;
}

function fromBase64({ length, signs }: Run, phase: number): Buffer {
  const decoded = Buffer.alloc(Math.floor(((length - phase) * 6) / 8));
  let bits = 0;
  let count = 0;
  let at = 0;
  for (let i = phase; i < length; i++) {
    bits = ((bits << 6) | (signs[i] ?? 0)) & 0x3fff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    decoded[at++] = bits >> count;
  }
  return decoded;
}

function fromHex(run: Run, bytes: Uint8Array, from: number, to: number): Buffer {
  const decoded = Buffer.alloc((to - from) >> 1);
  for (let at = 0; at < decoded.length; at++)
    decoded[at] = (digitAt(run, bytes, from + 2 * at) << 4) | digitAt(run, bytes, from + 2 * at + 1);
  return decoded;
}

/** The parts between newlines, which stay. */
function* linesOf(bytes: Uint8Array, start: number, end: number): Generator<Place> {
  let from = start;
  for (let i = start; i < end; i++) {
    if (bytes[i] !== NEWLINE) continue;
    const to = bytes[i - 1] === RETURN ? i - 1 : i;
    if (to > from) yield { start: from, end: to };
    from = i + 1;
  }
  if (end > from) yield { start: from, end };
}
