import type { ReadAt } from "./read-at.ts";

export interface Wal {
  readonly pageSize: number;
  /** The number of pages of the database after the last transaction in the log. */
  readonly pageCount: number;
  /** The place of the last version of each page. */
  readonly frames: ReadonlyMap<number, number>;
}

const HEADER = 32;
const FRAME = 24;

/**
 * Reads a write-ahead log up to its last complete transaction. A frame counts only if its salts and its checksum are right: behind the
 * last one are frames of earlier logs, and one that is being written. Undefined for a log without a transaction.
 */
export function readWal(read: ReadAt): Wal | undefined {
  const header = read(0, HEADER);
  if (header.length < HEADER) return undefined;
  const head = new DataView(header.buffer, header.byteOffset, HEADER);
  const magic = head.getUint32(0);
  const pageSize = head.getUint32(8);
  if ((magic !== 0x377f0682 && magic !== 0x377f0683) || pageSize < 512 || pageSize > 65536 || (pageSize & (pageSize - 1)) !== 0)
    return undefined;
  const isLittle = magic === 0x377f0682;
  let sum = checksum(header.subarray(0, 24), [0, 0], isLittle);
  if (sum[0] !== head.getUint32(24) || sum[1] !== head.getUint32(28)) return undefined;
  const frames = new Map<number, number>();
  let pending: (readonly [page: number, at: number])[] = [];
  let pageCount: number | undefined;
  for (let at = HEADER; ; at += FRAME + pageSize) {
    const frame = read(at, FRAME + pageSize);
    if (frame.length < FRAME + pageSize) break;
    const view = new DataView(frame.buffer, frame.byteOffset, FRAME);
    if (view.getUint32(8) !== head.getUint32(16) || view.getUint32(12) !== head.getUint32(20)) break;
    sum = checksum(frame.subarray(FRAME), checksum(frame.subarray(0, 8), sum, isLittle), isLittle);
    if (sum[0] !== view.getUint32(16) || sum[1] !== view.getUint32(20)) break;
    pending.push([view.getUint32(0), at + FRAME]);
    const size = view.getUint32(4);
    if (size === 0) continue;
    for (const [page, place] of pending) frames.set(page, place);
    pending = [];
    pageCount = size;
  }
  return pageCount === undefined ? undefined : { pageSize, pageCount, frames };
}

type Sum = readonly [number, number];

/** The checksum of SQLite's file format, section 4.2: two sums over pairs of 32-bit words. */
function checksum(bytes: Uint8Array, [first, second]: Sum, isLittle: boolean): Sum {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let a = first;
  let b = second;
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    a = (a + view.getUint32(at, isLittle) + b) >>> 0;
    b = (b + view.getUint32(at + 4, isLittle) + a) >>> 0;
  }
  return [a, b];
}
