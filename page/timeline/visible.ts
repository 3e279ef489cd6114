import type { Columns } from "./columns.ts";
import { DETAIL, groups, type Shown } from "./groups.ts";

/** The shown events in order, as indexes into the columns. */
export interface Visible {
  readonly count: number;
  at(row: number): number;
  /** The row of an event, or of the last shown one before it. */
  rowOf(i: number): number;
  /** Adds events that arrived since. */
  extend(): void;
}

export function visible(columns: Columns, shown: Shown, hits: ReadonlySet<number> | undefined): Visible {
  const wanted = Uint8Array.from(groups, ({ id }) => (shown.has(id) ? 1 : 0));
  const problems = shown.has("problem");
  let places = new Uint32Array(1024);
  let count = 0;
  let seen = 0;

  function extend(): void {
    const { group, problem } = columns;
    if (places.length < count + columns.count - seen) {
      const wider = new Uint32Array(Math.ceil((count + columns.count - seen) * 1.25));
      wider.set(places);
      places = wider;
    }
    for (; seen < columns.count; seen++) {
      if (hits !== undefined && !hits.has(seen + 1)) continue;
      const own = group[seen] ?? 0;
      if (wanted[own] === 1 || (problems && problem[seen] === 1 && own !== DETAIL)) places[count++] = seen;
    }
  }

  extend();
  return {
    get count() {
      return count;
    },
    at: (row) => places[row] ?? 0,
    rowOf(i) {
      let low = 0;
      let high = count;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((places[middle] ?? 0) <= i) low = middle + 1;
        else high = middle;
      }
      return Math.max(0, low - 1);
    },
    extend,
  };
}
