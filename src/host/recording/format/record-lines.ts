import { readSync } from "node:fs";
import type { Decode } from "../../../pure/pipeline/index.ts";

/** A complete line of `records.jsonl`, from `offset` up to `end`, which includes its newline. */
export interface StoredText {
  readonly text: string;
  readonly offset: number;
  readonly end: number;
}

const NEWLINE = 0x0a;
const PIECE = 256 * 1024;
/** A longer line is not a record. Above the longest fact that can be written: see `LONGEST_FACT`. */
export const LONGEST_RECORD = 64 * 1024 * 1024;
/** In characters of JSON, which are at most three bytes each. */
export const LONGEST_FACT = 16 * 1024 * 1024;

/** Reads complete lines of a file that may grow. Does not keep an unfinished line: if its writer died, it may be replaced. */
export function recordLines(fd: number, decode: Decode) {
  let buffer = Buffer.allocUnsafeSlow(PIECE); // grows with the longest line
  let offset = 0; // of the first line that was not returned
  let skipped = 0; // how much of that line was found to be too long
  let torn = 0;

  function linesOf(bytes: Buffer, last: number): readonly StoredText[] {
    const lines: StoredText[] = [];
    for (let start = 0; start < last; ) {
      const stop = bytes.indexOf(NEWLINE, start);
      const end = offset + skipped + stop - start + 1;
      lines.push({ text: skipped > 0 ? "" : decode(bytes, start, stop), offset, end });
      offset = end;
      skipped = 0;
      start = stop + 1;
    }
    return lines;
  }

  return {
    /** Everything new, in pieces. */
    *more(): Generator<readonly StoredText[]> {
      for (;;) {
        const count = readSync(fd, buffer, 0, buffer.length, offset + skipped);
        const last = buffer.subarray(0, count).lastIndexOf(NEWLINE) + 1;
        torn = skipped + count - last;
        if (last > 0) yield linesOf(buffer, last);
        else if (count < buffer.length) return;
        else if (count < LONGEST_RECORD) buffer = Buffer.allocUnsafeSlow(2 * count);
        else skipped += count;
      }
    },
    /** The offset of the next line, and how many of its bytes are there. */
    get offset(): number {
      return offset;
    },
    get torn(): number {
      return torn;
    },
  };
}
