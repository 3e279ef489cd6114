import type { Place } from "./find-bytes.ts";
import type { FindSecrets } from "./find-forms.ts";
import { leafReader } from "./json-leaves.ts";
import { type Masked, type Masker, masker } from "./masker.ts";

/** A masker for lines of JSON, which also finds a secret that is printed in pieces: in several lines, or in a list of one line. */
export interface PieceMasker extends Masker {
  /** The number of the line that waits longest for the rest of a secret; undefined if none waits. */
  readonly waiting: number | undefined;
  /** Releases the lines that wait: the rest did not come in time. */
  giveUp(): Masked;
}

/** What was recorded before. */
export interface Earlier {
  /** The lines before the first, masked: a secret may have begun in them. */
  readonly before?: Uint8Array;
  /** These lines were recorded: their pieces were joined then, and masked as far as they were found in time. Default: false. */
  readonly isRecorded?: boolean;
}

/** How much of a secret makes its line wait for the rest. Fewer characters at the end of a text are mostly chance. */
export const ENOUGH = 4;
/** How many lines a piece waits for the next one. */
export const MOST_LINES = 64;
/** Longer lines are not pieces, and not kept in memory. */
const LONGEST_LINE = 1024 * 1024;
const MOST_KNOWN = 1000;

const NEWLINE = 0x0a;
const BRACE = 0x7b;
const NOTHING = Buffer.alloc(0);
const BACKSLASH = 0x5c;
const STAR = 0x2a;
const ESCAPED = -1;
/** Keeps the keys of places with an owner apart from those of names. */
const OWNED = 2 ** 33;

/** A text of one line. Offsets are those of the stream. */
interface Piece {
  readonly start: number;
  readonly line: number;
  /** In characters, decoded. */
  readonly length: number;
  maskedTo: number;
}

/** The texts that one place in the lines has held, joined. */
interface Channel {
  /** The end of the joined text: what may be the beginning of a secret. */
  text: string;
  /** The pieces of that text, in order. The first begins `cut` characters before it. */
  pieces: readonly Piece[];
  cut: number;
  /** The last text, and the pieces that were its beginning: some agents repeat a text while it grows. */
  leaf: string;
  earlier: readonly Piece[];
  /** Its last byte, or `ESCAPED`. */
  last: number;
  /** The number of the line that continued it last. */
  since: number;
  /** The offset from which lines wait. */
  from: number;
}

/**
 * Pieces belong together if the same names lead to them, and they follow each other there or the ids of their lines are the same. A line
 * waits while its text ends with the beginning of a secret, until the next text of that place continues it or not, at most for 64 lines.
 */
export function pieceMasker(find: FindSecrets, { before, isRecorded = false }: Earlier = {}): PieceMasker {
  const whole = masker(find);
  const pieces = joiner(find, before);
  const isPlain = find.longest === 0 || isRecorded;

  function both(first: Masked, then: (bytes: Uint8Array) => Masked): Masked {
    if (isPlain) return first;
    const { bytes, ranges } = then(first.bytes);
    return { bytes, ranges: first.ranges.length === 0 ? ranges : [...first.ranges, ...ranges] };
  }

  return {
    push: (chunk) => both(whole.push(chunk), (bytes) => pieces.push(bytes)),
    end: () => both(whole.end(), (bytes) => pieces.end(bytes)),
    giveUp: () => pieces.giveUp(),
    get waiting() {
      return pieces.waiting;
    },
    get count() {
      return whole.count + pieces.count;
    },
  };
}

function joiner(find: FindSecrets, before: Uint8Array = NOTHING) {
  const { openings, longest } = find;
  const read = leafReader();
  const channels = new Map<number, Channel>();
  const waiting = new Set<Channel>();
  /** Texts that ended like the beginning of a secret, and were not continued. */
  const innocent = new Set<string>();
  let held: Buffer = NOTHING;
  /** What came after the held bytes, without a newline: a long line is put together once. */
  let parts: Buffer[] = [];
  let partsLength = 0;
  let base = -before.length;
  /** How many of the held bytes are lines that were read. */
  let done = 0;
  let line = 0;
  /** The offset of the first line that waits, or of the next one: chunks of any size give the same result. */
  let passed = base;
  let isTooLong = false;
  let count = 0;
  let data: Buffer = held;
  let marks: Place[] = [];

  function opening(text: string): number {
    if (openings === undefined) return Math.min(text.length, longest);
    const isHalf = /[\ud800-\udbff]$/.test(text);
    const bytes = Buffer.from(isHalf ? text.slice(0, -1) : text);
    const size = openings.at(bytes, 0, bytes.length);
    return (size === 0 ? 0 : bytes.subarray(bytes.length - size).toString().length) + (isHalf ? 1 : 0);
  }

  function mask(piece: Piece, from: number, to: number): void {
    if (piece.line < passed) return; // was released before the secret could be recognized
    const start = offsetOf(data, piece.start - base, from, false);
    const end = offsetOf(data, piece.start - base, to, true);
    const rest = Math.max(start, piece.maskedTo - base);
    if (rest >= end) return;
    marks.push({ start: rest, end });
    piece.maskedTo = base + end;
  }

  /** Masks what a secret covers in the joined text of these pieces, of which the first begins `cut` characters before it. */
  function maskJoined(text: string, pieces: readonly Piece[], cut: number): void {
    const bytes = Buffer.from(text);
    for (const place of (openings ?? find).find(bytes)) {
      const start = bytes.subarray(0, place.start).toString().length;
      const end = start + bytes.subarray(place.start, place.end).toString().length;
      let at = -cut;
      for (const piece of pieces) {
        if (at + piece.length > start && at < end) mask(piece, Math.max(0, start - at), Math.min(piece.length, end - at));
        at += piece.length;
      }
    }
  }

  /** The text was printed before, up to a place within a secret: masks what was printed of it. Texts of one line are a list. */
  function maskEarlier({ leaf, pieces, earlier, text: open }: Channel, text: string, line: number): void {
    const last = pieces.at(-1);
    if (last?.line === line) return;
    const same = commonLength(leaf, text);
    if (openings !== undefined && same !== leaf.length - open.length) return;
    if (last === undefined || same === leaf.length || text[same] !== "*" || /[^*]/.test(text.slice(same, leaf.length + 1))) return;
    for (const piece of [...earlier, last]) if (piece.length > same) mask(piece, same, piece.length);
  }

  function follow(key: number, piece: Piece, text: string, joins: boolean, last: number): void {
    const before = channels.get(key);
    let channel: Channel = { text, pieces: [piece], cut: 0, leaf: text, earlier: [], last, since: line, from: piece.line };
    if (before !== undefined) {
      waiting.delete(before);
      maskEarlier(before, text, piece.line);
      const previous = before.pieces.at(-1);
      if (previous !== undefined && text.startsWith(before.leaf)) channel.earlier = [...before.earlier, previous].slice(-MOST_LINES);
      if (joins) {
        const joined = { text: before.text + text, pieces: [...before.pieces, piece], cut: before.cut };
        maskJoined(text.length > longest ? joined.text.slice(0, before.text.length + longest) : joined.text, joined.pieces, joined.cut);
        channel = { ...channel, ...joined };
      }
    }
    const size = opening(channel.text.slice(-longest));
    if (size === 0) {
      channels.delete(key);
      return;
    }
    shorten(channel, size);
    channel.earlier = channel.earlier.filter(({ length }) => length > text.length - size);
    channel.from = Math.min(piece.line, ...channel.earlier.map((each) => each.line), ...ofOpening(channel, size).map((each) => each.line));
    channels.set(key, channel);
    if (size >= ENOUGH && !(channel.pieces.length === 1 && innocent.has(nameOf(channel)))) waiting.add(channel);
  }

  function readLine(start: number, end: number): void {
    const leaves = read(data, start, end);
    for (let i = 0; i < leaves.count; i++) {
      const from = leaves.starts[i] ?? 0;
      const to = leaves.ends[i] ?? 0;
      if (from === to) continue;
      const first = data[from] === BACKSLASH ? ESCAPED : (data[from] ?? 0);
      const last = data[to - 2] === BACKSLASH || data[to - 6] === BACKSLASH ? ESCAPED : (data[to - 1] ?? 0);
      const opens = openings === undefined || last === ESCAPED || openings.at(data, from, to) > 0;
      let piece: Piece | undefined;
      let text: string | undefined;
      for (const key of [leaves.paths[i] ?? 0, ((leaves.places[i] ?? 0) ^ leaves.owner) + OWNED]) {
        const before = channels.get(key);
        if (before === undefined && !opens) continue;
        const joins = before !== undefined && mayFollow(before.last, first);
        const repeats = before !== undefined && before.text.length >= ENOUGH;
        if (opens || joins || repeats) {
          text ??= decoded(data, from, to);
          piece ??= { start: base + from, line: base + start, length: text.length, maskedTo: 0 };
          follow(key, piece, text, joins, last);
        } else if (before !== undefined) {
          channels.delete(key);
          waiting.delete(before);
        }
      }
    }
  }

  /** Reads the complete lines of `data`; the first new byte is at `from`. Returns where the unfinished line begins. */
  function readLines(from: number): number {
    let begin = done;
    for (let i = data.indexOf(NEWLINE, from); i !== -1; i = data.indexOf(NEWLINE, begin)) {
      if (!isTooLong && data[begin] === BRACE) readLine(begin, i);
      endLine(i + 1);
      isTooLong = false;
      begin = i + 1;
    }
    return begin;
  }

  function mayFollow(before: number, after: number): boolean {
    return openings === undefined || before === ESCAPED || after === ESCAPED || openings.follows(before, after);
  }

  function stopWaiting(channel: Channel): void {
    waiting.delete(channel);
    if (openings === undefined || channel.pieces.length > 1) return;
    if (innocent.size === MOST_KNOWN) innocent.clear();
    innocent.add(nameOf(channel));
  }

  function endLine(next: number): void {
    line++;
    for (const channel of waiting) if (line - channel.since > MOST_LINES) stopWaiting(channel);
    if (line % MOST_LINES === 0) for (const [key, { since }] of channels) if (line - since > MOST_LINES) channels.delete(key);
    let first = base + next;
    for (const { from } of waiting) first = Math.min(first, from);
    passed = Math.max(passed, first);
  }

  function taken(): readonly Buffer[] {
    const given = parts;
    parts = [];
    partsLength = 0;
    return given;
  }

  function stopAll(next: number): void {
    for (const channel of waiting) stopWaiting(channel);
    passed = base + next;
  }

  /** Releases up to this offset in `data`, of which the lines up to `end` were read. */
  function release(boundary: number, end: number, isOwn: boolean): Masked {
    const isMasked = marks.length > 0;
    if (isMasked && !isOwn) data = Buffer.from(data);
    for (const { start, end: to } of marks) data.fill(STAR, start, to);
    const ranges = isMasked ? marks.map(({ start, end: to }) => ({ offset: base + start, length: to - start })) : [];
    const bytes = data.subarray(0, boundary);
    held = Buffer.from(data.subarray(boundary));
    count += ranges.length;
    base += boundary;
    done = end - boundary;
    marks = [];
    return { bytes, ranges };
  }

  const joined = {
    push(chunk: Uint8Array): Masked {
      const view = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      if (!isTooLong && view.length + partsLength < LONGEST_LINE && !view.includes(NEWLINE)) {
        parts.push(Buffer.from(view));
        partsLength += view.length;
        return { bytes: NOTHING, ranges: [] };
      }
      const before = held.length + partsLength;
      const isOwn = before > 0;
      data = isOwn ? Buffer.concat([held, ...taken(), view]) : view;
      let begin = readLines(before);
      if (data.length - begin > LONGEST_LINE) {
        isTooLong = true;
        begin = data.length;
      }
      if (data.length > 2 * LONGEST_LINE) stopAll(begin);
      return release(waiting.size === 0 ? begin : Math.min(begin, Math.max(0, passed - base)), begin, isOwn);
    },
    giveUp(): Masked {
      stopAll(done);
      data = held;
      return release(done, done, true);
    },
    /** Also the unfinished last line. */
    end(chunk: Uint8Array): Masked {
      const before = held.length + partsLength;
      data = Buffer.concat([held, ...taken(), chunk]);
      const begin = readLines(before);
      if (!isTooLong && data[begin] === BRACE) readLine(begin, data.length);
      waiting.clear();
      return release(data.length, data.length, true);
    },
    get waiting(): number | undefined {
      let oldest: number | undefined;
      for (const { since } of waiting) oldest = Math.min(oldest ?? since, since);
      return oldest;
    },
    get count() {
      return count;
    },
  };
  if (before.length > 0) {
    joined.push(before);
    joined.giveUp();
    count = 0;
  }
  return joined;
}

function nameOf({ leaf }: Channel): string {
  return leaf.slice(-200);
}

/** Keeps the opening. */
function shorten(channel: Channel, size: number): void {
  const drop = Math.max(0, channel.text.length - size);
  let cut = channel.cut + drop;
  let first = 0;
  for (const { length } of channel.pieces) {
    if (cut < length) break;
    cut -= length;
    first++;
  }
  channel.text = channel.text.slice(drop);
  channel.pieces = channel.pieces.slice(first);
  channel.cut = cut;
}

/** The pieces that the last characters belong to. */
function ofOpening({ pieces }: Channel, size: number): readonly Piece[] {
  let first = pieces.length;
  for (let rest = size; rest > 0 && first > 0; rest -= pieces[first]?.length ?? 0) first--;
  return pieces.slice(first);
}

function decoded(data: Buffer, from: number, to: number): string {
  const text = data.toString("utf8", from, to);
  if (!text.includes("\\")) return text;
  try {
    return JSON.parse(`"${text}"`);
  } catch {
    return "";
  }
}

/** The offset of a character of a JSON string that begins at `start`. Inside of a pair of surrogates: its start, or its end. */
function offsetOf(data: Uint8Array, start: number, index: number, isEnd: boolean): number {
  let at = start;
  let seen = 0;
  while (seen < index) {
    const byte = data[at] ?? 0;
    const isPair = byte >= 0xf0;
    if (isPair && seen + 1 === index && !isEnd) return at;
    if (byte === BACKSLASH) at += data[at + 1] === 0x75 ? 6 : 2;
    else at += byte < 0x80 ? 1 : byte < 0xe0 ? 2 : isPair ? 4 : 3;
    seen += isPair ? 2 : 1;
  }
  return at;
}

function commonLength(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}
