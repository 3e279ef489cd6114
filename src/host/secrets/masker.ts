import type { FindSecrets } from "./find-forms.ts";
import { FULL_LINE, isFullLine } from "./full-line.ts";

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
