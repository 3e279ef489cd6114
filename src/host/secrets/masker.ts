import { FULL_LINE, isFullLine } from "./full-line.ts";
import { SHORTEST_SECRET } from "./secret-forms.ts";

export interface FindSecrets {
  /** The length of the longest secret; 0 if there is nothing to find. */
  readonly longest: number;
  /** Whether a secret may continue after a line that is full of base64 or hex. */
  readonly spansLines?: true;
  /** Every range that a secret covers, in order; ranges that overlap or touch are merged. None contains a newline. */
  find(bytes: Uint8Array): readonly Place[];
}

export const nothingToFind: FindSecrets = { longest: 0, find: () => [] };

/** `end` is exclusive. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

export interface Masked {
  /** The released bytes, with secrets overwritten by `*`, as many as came in. May be a view of the chunk, valid only as long as it. */
  readonly bytes: Uint8Array;
  /**
   * The ranges to overwrite, as offsets in the whole stream, in order. A range is reported completely when its first byte is released, so
   * it may end after `bytes`: a caller that overwrites it elsewhere never leaves half a secret, which could not be found again. If another
   * secret extends it later, the rest follows as a second range that touches the first.
   */
  readonly ranges: readonly Range[];
}

export interface Range {
  readonly offset: number;
  readonly length: number;
}

export interface Masker {
  /** Does not change or keep the chunk; copies what must be held back. */
  push(chunk: Uint8Array): Masked;
  /** Releases the bytes held back. */
  end(): Masked;
  /** How many ranges were reported so far; two that touch count as one. */
  readonly count: number;
}

const STAR = 0x2a;
const NEWLINE = 0x0a;
const NONE: readonly Range[] = [];
const NO_BYTES = Buffer.alloc(0);
const CONTEXT = FULL_LINE + 2;

/**
 * Overwrites secrets in a stream. Chunk borders make no difference to the result. A line is released when its newline arrives; in an
 * unfinished line, the end in which a secret may have begun is held back, always less than the longest secret. If the finder spans lines, a
 * line that is full of base64 or hex waits for the next one.
 */
export function masker(secrets: FindSecrets): Masker {
  let held: Buffer = Buffer.alloc(0);
  /** The released bytes before them, unmasked, that decide whether a line is full. */
  let context: Buffer = Buffer.alloc(0);
  /** How many of the held bytes belong to a range that was already reported. */
  let covered = 0;
  /** The offset of the held bytes in the stream. */
  let base = 0;
  let reported = -1;
  let count = 0;

  /** `data` begins with the context. */
  function release(data: Buffer, isOwn: boolean, boundary: number): Masked {
    const places = secrets.find(data);
    const ranges: Range[] = [];
    const first = context.length;
    const rest = Buffer.from(data.subarray(boundary)); // unmasked: secrets that begin there are searched again
    const isOpen = secrets.spansLines === true && !endsLine(data, boundary);
    const before = isOpen ? Buffer.from(data.subarray(Math.max(0, boundary - CONTEXT), boundary)) : NO_BYTES;
    let bytes = data.subarray(first, boundary);
    let reach = first + covered;
    const origin = base - first;
    if (covered > 0 || places.some(({ start, end }) => end > first && start < boundary)) {
      if (!isOwn) bytes = Buffer.from(bytes);
      bytes.fill(STAR, 0, Math.min(covered, bytes.length));
    }
    for (const { start, end } of places) {
      if (start >= boundary) break;
      if (end <= first) continue;
      bytes.fill(STAR, Math.max(0, start - first), Math.min(end, boundary) - first);
      const from = Math.max(start, reach);
      if (end <= from) continue;
      ranges.push({ offset: origin + from, length: end - from });
      if (origin + from !== reported) count++;
      reported = origin + end;
      reach = end;
    }
    held = rest;
    context = before;
    covered = Math.max(0, reach - boundary);
    base = origin + boundary;
    return { bytes, ranges };
  }

  return {
    push(chunk) {
      if (secrets.longest === 0) return { bytes: chunk, ranges: NONE };
      const view = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      const isOwn = context.length + held.length > 0;
      const data = isOwn ? Buffer.concat([context, held, view]) : view;
      return release(data, isOwn, Math.max(context.length, boundaryOf(data, secrets)));
    },
    end() {
      const data = Buffer.concat([context, held]);
      return release(data, true, data.length);
    },
    get count() {
      return count;
    },
  };
}

/** The offset before which every secret that has begun has also ended. */
function boundaryOf(data: Uint8Array, { longest, spansLines }: FindSecrets): number {
  const earliest = Math.max(0, data.length - longest + 1);
  for (let end = data.length; end > earliest; ) {
    const newline = data.subarray(earliest, end).lastIndexOf(NEWLINE) + earliest;
    if (newline < earliest) break;
    if (!spansLines || !isFullLine(data, newline)) return newline + 1;
    end = newline;
  }
  return earliest;
}

/** Whether a line that nothing can continue ends right before the offset. */
function endsLine(data: Uint8Array, offset: number): boolean {
  return offset === 0 || (data[offset - 1] === NEWLINE && !isFullLine(data, offset - 1));
}

/** How many bytes of a form decide how far the search may skip, and the skip for pairs that occur in no form. */
const WINDOW = SHORTEST_SECRET;
const SKIP = WINDOW - 1;

/**
 * Finds these bytes. The time does not depend on the number of forms: the search checks the last two bytes of a window, and most pairs of
 * bytes occur in no form, so the window moves by seven (Wu and Manber, 1994). Expects forms from `secretForms`; forms shorter than eight
 * bytes are ignored.
 */
export function findForms(forms: readonly Uint8Array[]): FindSecrets {
  const skips = new Uint8Array(0x10000).fill(SKIP);
  const ends = new Map<number, Buffer[]>();
  const long = forms.filter((form) => form.length >= WINDOW).map((form) => Buffer.from(form));
  for (const form of long) {
    for (let i = 1; i < WINDOW; i++) {
      const pair = form.readUInt16BE(i - 1);
      skips[pair] = Math.min(skips[pair] ?? 0, WINDOW - 1 - i);
    }
    const pair = form.readUInt16BE(WINDOW - 2);
    ends.set(pair, [...(ends.get(pair) ?? []), form]);
  }

  return {
    longest: Math.max(0, ...long.map(({ length }) => length)),
    find(bytes) {
      const places = placeList();
      let last = WINDOW - 1;
      while (last < bytes.length) {
        const pair = ((bytes[last - 1] ?? 0) << 8) | (bytes[last] ?? 0);
        const skip = skips[pair] ?? 0;
        if (skip === 0) {
          const start = last - WINDOW + 1;
          for (const form of ends.get(pair) ?? []) {
            const end = start + form.length;
            if (bytes[start] === form[0] && end <= bytes.length && form.compare(bytes, start, end) === 0) places.add(start, end);
          }
        }
        last += skip === 0 ? 1 : skip;
      }
      return places.all;
    },
  };
}

/** Collects ranges in order of their starts and merges those that overlap or touch. */
export function placeList(): { add(start: number, end: number): void; readonly all: readonly Place[] } {
  const all: { start: number; end: number }[] = [];
  return {
    all,
    add(start, end) {
      const last = all.at(-1);
      if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
      else all.push({ start, end });
    },
  };
}
