/** The lines `a` to `aEnd` are replaced by the lines `b` to `bEnd`. */
export interface Region {
  readonly a: number;
  readonly aEnd: number;
  readonly b: number;
  readonly bEnd: number;
}

/** With more differences, everything becomes one replacement: time and memory grow with their square (9 MB). */
const MOST = 1500;

/** The edits that turn `a` into `b`, in order: Myers' greedy search on the lines between the common start and end. */
export function lineDiff(a: readonly string[], b: readonly string[]): Region[] {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const aEnd = a.length - end;
  const bEnd = b.length - end;
  if (start === aEnd && start === bEnd) return [];
  const whole = [{ a: start, aEnd, b: start, bEnd }];
  if (start === aEnd || start === bEnd) return whole;
  const ids = new Map<string, number>();
  const idOf = (line: string): number => {
    const id = ids.get(line) ?? ids.size;
    ids.set(line, id);
    return id;
  };
  const trace = search(a.slice(start, aEnd).map(idOf), b.slice(start, bEnd).map(idOf));
  if (trace === undefined) return whole;
  return regions(trace, aEnd - start, bEnd - start).map((region) => ({
    a: region.a + start,
    aEnd: region.aEnd + start,
    b: region.b + start,
    bEnd: region.bEnd + start,
  }));
}

/** How far each diagonal -d…d was reached with d differences, for every d; undefined if there are too many. */
function search(a: readonly number[], b: readonly number[]): Int32Array[] | undefined {
  const trace: Int32Array[] = [];
  for (let d = 0; d <= MOST; d++) {
    const before = trace[d - 1];
    const reached = new Int32Array(2 * d + 1);
    trace.push(reached);
    for (let k = -d; k <= d; k += 2) {
      let x = before === undefined ? 0 : isDown(before, d, k) ? at(before, d - 1, k + 1) : at(before, d - 1, k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reached[k + d] = x;
      if (x >= a.length && x - k >= b.length) return trace;
    }
  }
  return undefined;
}

/** Whether the path to diagonal k at difference d came from above, by inserting a line of `b`. */
function isDown(before: Int32Array, d: number, k: number): boolean {
  return k === -d || (k !== d && at(before, d - 1, k - 1) < at(before, d - 1, k + 1));
}

function at(reached: Int32Array, d: number, k: number): number {
  return reached[k + d] ?? -1;
}

/** Walks the trace back. Adjacent steps become one region. */
function regions(trace: readonly Int32Array[], aLength: number, bLength: number): Region[] {
  const found: Region[] = [];
  let x = aLength;
  let y = bLength;
  for (let d = trace.length - 1; d > 0; d--) {
    const before = trace[d - 1] as Int32Array;
    const k = x - y;
    const down = isDown(before, d, k);
    const fromX = at(before, d - 1, down ? k + 1 : k - 1);
    const fromY = fromX - (down ? k + 1 : k - 1);
    const step = { a: fromX, aEnd: down ? fromX : fromX + 1, b: fromY, bEnd: down ? fromY + 1 : fromY };
    const next = found[0];
    if (next !== undefined && next.a === step.aEnd && next.b === step.bEnd) found[0] = { ...next, a: step.a, b: step.b };
    else found.unshift(step);
    x = fromX;
    y = fromY;
  }
  return found;
}
