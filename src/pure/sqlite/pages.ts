import { HarnessError } from "../base/index.ts";
import type { DecodeText, Encoding, ReadAt } from "./read-at.ts";
import { readWal } from "./wal.ts";

export interface Pages {
  /** Bytes of a page that hold contents. */
  readonly usable: number;
  readonly decode: (text: Uint8Array) => string;
  readonly count: number;
  page(number: number): DataView;
}

export function damaged(what: string): HarnessError {
  return new HarnessError("input", `The database is damaged: ${what}.`);
}

const MAGIC = "SQLite format 3\u0000";
const HEADER = 100;
const MOST_CACHED = 512;

/** The pages of a database as of the last complete transaction: those in the log replace those in the file. */
export function openPages(file: ReadAt, wal: ReadAt | undefined, decode: DecodeText): Pages {
  const header = file(0, HEADER);
  const log = wal === undefined ? undefined : readWal(wal);
  if (header.length < HEADER && log === undefined) throw damaged("it has no header");
  const fromFile = header.length < HEADER ? undefined : pageSize(header);
  const size = fromFile ?? log?.pageSize ?? 0;
  if (log !== undefined && log.pageSize !== size) throw damaged("its log has pages of a different size");
  const first = readPage(1);
  if (String.fromCharCode(...first.subarray(0, 16)) !== MAGIC) throw new HarnessError("input", "It is not a SQLite database.");
  const view = viewOf(first);
  const usable = size - view.getUint8(20);
  if (usable < 480) throw damaged("its pages are too small");
  const count = log?.pageCount ?? Number.MAX_SAFE_INTEGER;
  const encoding = ENCODINGS[view.getUint32(56)] ?? "utf-8";
  const cache = new Map<number, DataView>();

  function readPage(number: number): Uint8Array {
    const at = log?.frames.get(number);
    const bytes = at === undefined ? file((number - 1) * size, size) : (wal?.(at, size) ?? new Uint8Array());
    if (bytes.length < size) throw damaged(`page ${number} is missing`);
    return bytes;
  }

  return {
    usable,
    decode: (text) => decode(text, encoding),
    count,
    page(number) {
      const known = cache.get(number);
      if (known !== undefined) return known;
      if (number < 1 || number > count) throw damaged(`there is no page ${number}`);
      const page = viewOf(readPage(number));
      if (cache.size >= MOST_CACHED) cache.clear();
      cache.set(number, page);
      return page;
    },
  };
}

const ENCODINGS: Readonly<Record<number, Encoding>> = { 1: "utf-8", 2: "utf-16le", 3: "utf-16be" };

/** 1 means 65536, which does not fit into two bytes. */
function pageSize(header: Uint8Array): number {
  if (String.fromCharCode(...header.subarray(0, 16)) !== MAGIC) throw new HarnessError("input", "It is not a SQLite database.");
  const size = viewOf(header).getUint16(16);
  const bytes = size === 1 ? 65536 : size;
  if (bytes < 512 || (bytes & (bytes - 1)) !== 0) throw damaged("its page size is not a power of two");
  return bytes;
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
