/** The chunks of one node, in order of arrival; every version shows the first of them. */
export interface Pieces {
  readonly versions: number[];
  /** Chunks that were not read yet. They are joined on the first read, so a chunk costs its own length once. */
  readonly unread: unknown[];
  /** The chunks that were read, as one text, with the position where each ends … */
  text: string;
  readonly ends: number[];
  /** … and those that are not text, by position. */
  others: Map<number, unknown> | undefined;
}

export function newPieces(first: unknown, version: number, second: unknown, next: number): Pieces {
  return { versions: [version, next], unread: [first, second], text: "", ends: [], others: undefined };
}

export function addPiece(pieces: Pieces, piece: unknown, version: number): void {
  pieces.versions.push(version);
  pieces.unread.push(piece);
}

/** The number of chunks at that version. */
export function countAt({ versions }: Pieces, version: number): number {
  return firstAfter(versions, version, (one) => one);
}

/** The first `count` chunks as one text. A chunk that is not text replaces everything before it. */
export function contentOf(pieces: Pieces, count: number): unknown {
  const { ends, others, text } = read(pieces);
  if (others === undefined) return text.slice(0, ends[count - 1]);
  let last = count - 1;
  while (last >= 0 && !others.has(last)) last--;
  return last === count - 1 ? others.get(last) : text.slice(ends[last] ?? 0, ends[count - 1]);
}

/** A copy of the chunks at that version; undefined if there was only the first. */
export function piecesUntil(pieces: Pieces, version: number): Pieces | undefined {
  const count = countAt(pieces, version);
  if (count < 2) return undefined;
  const { ends, others, text, versions } = read(pieces);
  const all = ends.slice(0, count).map((end, i) => (others?.has(i) ? others.get(i) : text.slice(ends[i - 1] ?? 0, end)));
  return { versions: versions.slice(0, count), unread: all, text: "", ends: [], others: undefined };
}

/** The index of the first item after `version` in a list sorted by version. Most callers want the whole list. */
export function firstAfter<T>(list: readonly T[], version: number, versionOf: (item: T) => number): number {
  const end = list.at(-1);
  if (end === undefined || versionOf(end) <= version) return list.length;
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = list[middle];
    if (item !== undefined && versionOf(item) <= version) low = middle + 1;
    else high = middle;
  }
  return low;
}

function read(pieces: Pieces): Pieces {
  const { unread, ends } = pieces;
  if (unread.length === 0) return pieces;
  let end = pieces.text.length;
  const texts = unread.map((piece) => {
    const text = typeof piece === "string" ? piece : "";
    if (typeof piece !== "string") {
      pieces.others ??= new Map();
      pieces.others.set(ends.length, piece);
    }
    end += text.length;
    ends.push(end);
    return text;
  });
  pieces.text += texts.join("");
  unread.length = 0;
  return pieces;
}
