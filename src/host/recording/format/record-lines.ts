import { readSync } from "node:fs";
import type { Decode } from "../../../pure/pipeline/index.ts";

/** A whole line of `records.jsonl`: from `offset` to before `end`, which counts its newline. */
export interface StoredText {
  readonly text: string;
  readonly offset: number;
  readonly end: number;
}

const NEWLINE = 0x0a;
/** No record is nearly as long. */
const PIECE = 256 * 1024;

/**
 * Reads whole lines of a file that may grow. An unfinished line is not held: where its writer died, another process cuts it off
 * and writes something else in its place, and that is then read.
 */
export function recordLines(fd: number, decode: Decode) {
  const buffer = Buffer.allocUnsafeSlow(PIECE);
  let offset = 0; // of the first line that was not given
  let skipped = 0; // how much of that line was found to be too long
  let torn = 0;

  /** The whole lines of these bytes. */
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
    /** What is there and was not given yet, in pieces. */
    *more(): Generator<readonly StoredText[]> {
      for (;;) {
        const count = readSync(fd, buffer, 0, PIECE, offset + skipped);
        const last = buffer.subarray(0, count).lastIndexOf(NEWLINE) + 1;
        torn = skipped + count - last;
        if (last > 0) yield linesOf(buffer, last);
        else if (count === PIECE) skipped += count;
        else return;
      }
    },
    /** Where the next line begins, and how many bytes of it are there. */
    get offset(): number {
      return offset;
    },
    get torn(): number {
      return torn;
    },
  };
}
