import { damaged, type Pages } from "./pages.ts";
import { rowidOf, type Value, valuesOf, varint } from "./record.ts";

const TABLE_INTERIOR = 0x05;
const TABLE_LEAF = 0x0d;
const INDEX_INTERIOR = 0x02;
const INDEX_LEAF = 0x0a;

/** No real row comes near; a damaged length must not take all memory. */
const LONGEST_ROW = 512 * 1024 * 1024;

export interface Stored {
  readonly rowid: number;
  readonly values: readonly Value[];
}

interface Node {
  readonly view: DataView;
  readonly type: number;
  readonly cells: readonly number[];
  /** The child behind the last cell; 0 in a leaf. */
  readonly last: number;
}

/** Each page of a tree has one parent. A damaged one, which leads back to itself, ends here. */
function nodeOf(pages: Pages, number: number, seen: Set<number>): Node {
  if (seen.has(number)) throw damaged(`page ${number} is used twice`);
  seen.add(number);
  const view = pages.page(number);
  const start = number === 1 ? 100 : 0;
  const type = view.getUint8(start);
  const isInterior = type === TABLE_INTERIOR || type === INDEX_INTERIOR;
  if (!isInterior && type !== TABLE_LEAF && type !== INDEX_LEAF) throw damaged(`page ${number} is not part of a table`);
  const first = start + (isInterior ? 12 : 8);
  const count = view.getUint16(start + 3);
  if (first + 2 * count > pages.usable) throw damaged(`page ${number} has too many cells`);
  const cells = Array.from({ length: count }, (_, n) => view.getUint16(first + 2 * n));
  return { view, type, cells, last: isInterior ? view.getUint32(start + 8) : 0 };
}

/** All rows of a table, in the order of their rowids. */
export function* tableRows(pages: Pages, root: number, seen = new Set<number>()): Generator<Stored, void> {
  const { view, type, cells, last } = nodeOf(pages, root, seen);
  if (type === TABLE_INTERIOR) {
    for (const cell of cells) yield* tableRows(pages, childAt(view, cell), seen);
    yield* tableRows(pages, last, seen);
    return;
  }
  if (type !== TABLE_LEAF) throw damaged("a table leads to an index");
  for (const cell of cells) yield rowAt(pages, view, cell);
}

function rowAt(pages: Pages, view: DataView, cell: number): Stored {
  const [size, afterSize] = varint(view, cell);
  const [rowid, start] = rowidOf(view, afterSize);
  return { rowid, values: valuesOf(payload(pages, view, start, size, pages.usable - 35), pages) };
}

/** The row with a rowid; undefined if there is none. */
export function rowWith(pages: Pages, root: number, rowid: number): Stored | undefined {
  const seen = new Set<number>();
  for (let number = root; ; ) {
    const { view, type, cells, last } = nodeOf(pages, number, seen);
    if (type === TABLE_LEAF) {
      const cell = cells.find((at) => rowidOf(view, varint(view, at)[1])[0] === rowid);
      return cell === undefined ? undefined : rowAt(pages, view, cell);
    }
    if (type !== TABLE_INTERIOR) throw damaged("a table leads to an index");
    const before = cells.find((at) => rowidOf(view, at + 4)[0] >= rowid);
    number = before === undefined ? last : childAt(view, before);
  }
}

/** The rowids of an index whose first value is the text, in the order of the index. */
export function* rowidsOf(pages: Pages, root: number, text: string, seen = new Set<number>()): Generator<number, void> {
  const { view, type, cells, last } = nodeOf(pages, root, seen);
  const isInterior = type === INDEX_INTERIOR;
  if (!isInterior && type !== INDEX_LEAF) throw damaged("an index leads to a table");
  for (const cell of cells) {
    const start = isInterior ? cell + 4 : cell;
    const [size, at] = varint(view, start);
    const most = Math.trunc(((pages.usable - 12) * 64) / 255) - 23;
    const values = valuesOf(payload(pages, view, at, size, most), pages);
    const order = compare(values[0] ?? null, text);
    if (isInterior && order >= 0) yield* rowidsOf(pages, childAt(view, cell), text, seen);
    if (order > 0) return;
    const rowid = values.at(-1);
    if (order === 0 && typeof rowid === "number") yield rowid;
  }
  if (isInterior) yield* rowidsOf(pages, last, text, seen);
}

/** The order of an index without a collation: null, numbers, text by its bytes, blobs. The order of UTF-8 is that of code points. */
function compare(value: Value, text: string): number {
  if (typeof value !== "string") return value instanceof Uint8Array ? 1 : -1;
  if (value === text) return 0;
  const others = text[Symbol.iterator]();
  for (const one of value) {
    const other = others.next();
    if (other.done === true) return 1;
    if (one !== other.value) return (one.codePointAt(0) ?? 0) - (other.value.codePointAt(0) ?? 0);
  }
  return -1;
}

function childAt(view: DataView, cell: number): number {
  if (cell + 4 > view.byteLength) throw damaged("a cell is cut off");
  return view.getUint32(cell);
}

/** What of a record does not fit into its page is in a chain of others. */
function payload(pages: Pages, view: DataView, at: number, size: number, most: number): Uint8Array {
  if (size > LONGEST_ROW) throw damaged("a row is too long");
  const { usable } = pages;
  const least = Math.trunc(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((size - least) % (usable - 4));
  const local = size <= most ? size : fitting <= most ? fitting : least;
  if (at + local > view.byteLength) throw damaged("a cell is cut off");
  const here = new Uint8Array(view.buffer, view.byteOffset + at, local);
  if (local === size) return here;
  if (at + local + 4 > view.byteLength) throw damaged("a cell is cut off");
  const pieces = [here];
  let next = view.getUint32(at + local);
  for (let left = size - local; left > 0; left -= usable - 4) {
    const page = pages.page(next);
    pieces.push(new Uint8Array(page.buffer, page.byteOffset + 4, Math.min(left, usable - 4)));
    next = page.getUint32(0);
  }
  return joined(pieces, size);
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
