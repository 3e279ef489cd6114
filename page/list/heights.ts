/**
 * The heights and positions of many rows, in a Fenwick tree: finding a row and changing a height take logarithmic time. A million rows
 * take 12 MB.
 */
export interface Heights {
  readonly count: number;
  readonly total: number;
  /** The top of row `i`. */
  top(i: number): number;
  height(i: number): number;
  set(i: number, height: number): void;
  /** The row at this position. */
  indexAt(y: number): number;
  /** Adds rows until there are this many. */
  grow(count: number, estimate: (i: number) => number): void;
  /** Keeps the first rows with their known heights. */
  cut(count: number): void;
}

export function heights(initial: number, estimate: (i: number) => number): Heights {
  let each = new Float32Array(capacityFor(initial));
  let sums = new Float64Array(each.length + 1);
  let count = 0;
  let total = 0;

  function add(i: number, by: number): void {
    for (let node = i + 1; node < sums.length; node += node & -node) sums[node] = (sums[node] ?? 0) + by;
  }

  /** Rebuilds the tree from the heights in one pass. */
  function rebuild(capacity: number): void {
    if (capacity === each.length) sums.fill(0);
    else {
      const wider = new Float32Array(capacity);
      wider.set(each);
      each = wider;
      sums = new Float64Array(capacity + 1);
    }
    for (let i = 0; i < count; i++) {
      const node = i + 1;
      sums[node] = (sums[node] ?? 0) + (each[i] ?? 0);
      const parent = node + (node & -node);
      if (parent <= capacity) sums[parent] = (sums[parent] ?? 0) + (sums[node] ?? 0);
    }
  }

  function grow(to: number, estimateOf: (i: number) => number): void {
    const isBulk = to - count > 512;
    if (to > each.length) rebuild(capacityFor(to));
    for (let i = count; i < to; i++) {
      const height = Math.fround(estimateOf(i));
      each[i] = height;
      total += height;
      if (!isBulk) add(i, height);
    }
    count = Math.max(count, to);
    if (isBulk) rebuild(each.length);
  }

  grow(initial, estimate);
  return {
    get count() {
      return count;
    },
    get total() {
      return total;
    },
    top(i) {
      let sum = 0;
      for (let node = Math.min(i, count); node > 0; node -= node & -node) sum += sums[node] ?? 0;
      return sum;
    },
    height: (i) => each[i] ?? 0,
    set(i, height) {
      const by = Math.fround(height) - (each[i] ?? 0);
      if (i >= count || by === 0) return;
      each[i] = height;
      total += by;
      add(i, by);
    },
    indexAt(y) {
      let node = 0;
      let rest = y;
      for (let step = highestBit(sums.length - 1); step > 0; step >>= 1) {
        const next = node + step;
        const sum = sums[next];
        if (next >= sums.length || next > count || sum === undefined || sum > rest) continue;
        node = next;
        rest -= sum;
      }
      return Math.max(0, Math.min(node, count - 1));
    },
    grow,
    cut(to) {
      if (to >= count) return;
      for (let i = to; i < count; i++) total -= each[i] ?? 0;
      each.fill(0, to, count);
      count = to;
      rebuild(each.length);
    },
  };
}

function capacityFor(count: number): number {
  return Math.max(1024, Math.ceil(count * 1.25));
}

function highestBit(number: number): number {
  return number < 1 ? 0 : 2 ** Math.floor(Math.log2(number));
}
