/** The texts in one line of JSON. Reused for every line: valid until the next one is read. */
export interface Leaves {
  count: number;
  /** The start and the end of the text, without its quotes. */
  readonly starts: number[];
  readonly ends: number[];
  /** A number for the names that lead to it. Elements of one list have the same. */
  readonly paths: number[];
  /** The same, with the places in lists. */
  readonly places: number[];
  /** A number for everything in the line that says whose text this is: ids, indexes, types. */
  owner: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const DEEPEST = 64;
/** In place of an index. */
const OBJECT = -1;

/** `uuid` is left out: some agents give each line one. */
const OWNERS = /^(?:id|index|type|subtype|role|kind|sessionUpdate|thread|agent)$|[a-z](?:_id|Id|ID|Index|_index)$/;

/** Reads the texts of lines of JSON. Never throws; from a line that is not JSON it returns what looks like texts. */
export function leafReader(): (data: Uint8Array, start: number, end: number) => Leaves {
  const leaves: Leaves = { count: 0, starts: [], ends: [], paths: [], places: [], owner: 0 };
  const path = new Int32Array(DEEPEST + 1);
  const place = new Int32Array(DEEPEST + 1);
  const index = new Int32Array(DEEPEST + 1);
  const owners = new Map<number, boolean>();

  function isOwner(data: Uint8Array, from: number, to: number, name: number): boolean {
    const known = owners.get(name);
    if (known !== undefined) return known;
    const found = to - from < 40 && OWNERS.test(Buffer.from(data.subarray(from, to)).toString("latin1"));
    if (owners.size < 10_000) owners.set(name, found);
    return found;
  }

  return (data, start, end) => {
    let depth = 0;
    let name = 0;
    let owns = false;
    let owner = 0;
    leaves.count = 0;
    index[0] = 0;
    for (let i = start; i < end; i++) {
      const byte = data[i] ?? 0;
      if (byte === QUOTE) {
        const from = i + 1;
        let to = from;
        while (to < end && data[to] !== QUOTE) to += data[to] === BACKSLASH ? 2 : 1;
        if (to >= end) break;
        let next = to + 1;
        while (data[next] === 0x20) next++;
        if (data[next] === 0x3a) {
          i = next;
          name = hashOf(data, from, to, 7);
          owns = isOwner(data, from, to, name);
          continue;
        }
        i = to;
        const count = leaves.count++;
        leaves.starts[count] = from;
        leaves.ends[count] = to;
        leaves.paths[count] = mixed(path[depth] ?? 0, name);
        leaves.places[count] = mixed(place[depth] ?? 0, name + (index[depth] ?? 0));
        if (owns) owner = hashOf(data, from, to, mixed(owner, name));
      } else if (byte === 0x2c) {
        const before = index[depth] ?? 0;
        if (before !== OBJECT) index[depth] = before + 1;
        owns = false;
      } else if (byte === 0x7b || byte === 0x5b) {
        if (depth === DEEPEST) break;
        path[depth + 1] = mixed(path[depth] ?? 0, name);
        place[depth + 1] = mixed(place[depth] ?? 0, name + (index[depth] ?? 0));
        index[++depth] = byte === 0x7b ? OBJECT : 0;
        name = 0;
        owns = false;
      } else if (byte === 0x7d || byte === 0x5d) {
        depth = Math.max(0, depth - 1);
        name = 0; // what follows in a list has none, and in an object its own
      } else if (owns && byte >= 0x30 && byte <= 0x39) owner = mixed(owner, byte);
    }
    leaves.owner = owner;
    return leaves;
  };
}

function mixed(a: number, b: number): number {
  return (Math.imul(a ^ (a >>> 15) ^ b, 0x01000193) + 0x1e3779b9) | 0;
}

function hashOf(data: Uint8Array, from: number, to: number, seed: number): number {
  let hash = seed;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ (data[i] ?? 0), 0x01000193);
  return hash;
}
