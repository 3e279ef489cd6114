import { SHORTEST_SECRET } from "./secret-forms.ts";

/** Finds secrets in bytes. */
export interface FindSecrets {
  /** The length of the longest one; 0 where there is nothing to find. */
  readonly longest: number;
  /** Every place that one of them covers: in order, those that overlap or touch as one. None holds a newline. */
  find(bytes: Uint8Array): readonly Place[];
}

/** Where there are no secrets. */
export const nothingToFind: FindSecrets = { longest: 0, find: () => [] };

/** From `start` to before `end`. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

export interface Masked {
  /** What is released, secrets overwritten by `*`: as many bytes as came in. Maybe a view of the chunk, and valid as long as it. */
  readonly bytes: Uint8Array;
  /**
   * What was found to be overwritten, as places in the whole stream, in order. A place is told at once and whole when its first byte
   * is released, so it may end behind `bytes`: whoever overwrites it elsewhere never leaves half a secret, by which it could not be
   * found again. One that another secret continues later is told in two pieces that touch.
   */
  readonly ranges: readonly Range[];
}

export interface Range {
  readonly offset: number;
  readonly length: number;
}

export interface Masker {
  /** Does not change the chunk, nor keep it: what must be kept is copied. */
  push(chunk: Uint8Array): Masked;
  /** What was held back. */
  end(): Masked;
  /** How many places were told so far; two that touch are one. */
  readonly count: number;
}

const STAR = 0x2a;
const NEWLINE = 0x0a;
const NONE: readonly Range[] = [];

/**
 * Overwrites secrets in a stream. Any chunking of the same bytes gives the same bytes. A line is released when its newline comes; of a
 * line that goes on, the end in which a secret may have begun is held back, less than the longest of them.
 */
export function masker(secrets: FindSecrets): Masker {
  let held: Buffer = Buffer.alloc(0);
  /** So many of the held bytes belong to a place that was told already. */
  let covered = 0;
  /** Where in the stream the held bytes begin. */
  let base = 0;
  let told = -1;
  let count = 0;

  function release(data: Buffer, isOwn: boolean, boundary: number): Masked {
    const places = secrets.find(data);
    const ranges: Range[] = [];
    let bytes = data.subarray(0, boundary);
    let reach = covered;
    if (reach > 0 || (places[0]?.start ?? boundary) < boundary) {
      if (!isOwn) bytes = Buffer.from(bytes);
      bytes.fill(STAR, 0, Math.min(reach, boundary));
    }
    for (const { start, end } of places) {
      if (start >= boundary) break;
      bytes.fill(STAR, start, Math.min(end, boundary));
      const from = Math.max(start, reach);
      if (end <= from) continue;
      ranges.push({ offset: base + from, length: end - from });
      if (base + from !== told) count++;
      told = base + end;
      reach = end;
    }
    const rest = data.subarray(boundary); // as it came: what begins there is looked for again
    held = isOwn ? rest : Buffer.from(rest);
    covered = Math.max(0, reach - boundary);
    base += boundary;
    return { bytes, ranges };
  }

  return {
    push(chunk) {
      if (secrets.longest === 0) return { bytes: chunk, ranges: NONE };
      const view = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      const isOwn = held.length > 0;
      const data = isOwn ? Buffer.concat([held, view]) : view;
      return release(data, isOwn, boundaryOf(data, secrets.longest));
    },
    end: () => release(held, true, held.length),
    get count() {
      return count;
    },
  };
}

/** Up to where no secret can have begun without having ended. */
function boundaryOf(data: Uint8Array, longest: number): number {
  const earliest = Math.max(0, data.length - longest + 1);
  const newline = data.subarray(earliest).lastIndexOf(NEWLINE);
  return newline === -1 ? earliest : earliest + newline + 1;
}

/** How many bytes of a form decide how far the search may skip, and the skip where they say nothing. */
const WINDOW = SHORTEST_SECRET;
const SKIP = WINDOW - 1;

/**
 * Finds these bytes. Its time does not depend on how many there are: it looks at the last two bytes of a window, and most pairs of
 * bytes are in no form, so the window moves on by seven (Wu and Manber, 1994). Forms as `secretForms` gives them: what is shorter
 * than eight bytes is not looked for.
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

/** Collects places in order of their starts: what overlaps or touches becomes one, however often a secret repeats itself. */
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
