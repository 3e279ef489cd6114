/** How many ids to keep. Late updates for an ended call arrive soon after it. */
const REMEMBERED = 1024;

/** A set that keeps only the most recent ids, because a run can have any number. Adding is cheap; lookups scan, but are rare. */
export function recentIds() {
  const ids: string[] = [];
  const kinds: unknown[] = [];
  let count = 0;

  return {
    /** `kind` distinguishes what shares an id. */
    add(id: string, kind?: unknown): void {
      ids[count % REMEMBERED] = id;
      kinds[count++ % REMEMBERED] = kind;
    },
    has(id: string, kind?: unknown): boolean {
      for (let at = ids.indexOf(id); at >= 0; at = ids.indexOf(id, at + 1)) if (kinds[at] === kind) return true;
      return false;
    },
  };
}
