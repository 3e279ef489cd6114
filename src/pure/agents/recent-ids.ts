/** How many ids to keep. Late updates for an ended call arrive soon after it. */
const REMEMBERED = 1024;

/** A set that keeps only the most recent ids, because a run can have any number. Adding is cheap; lookups scan, but are rare. */
export function recentIds() {
  const ids: string[] = [];
  let count = 0;

  return {
    add(id: string): void {
      ids[count++ % REMEMBERED] = id;
    },
    has: (id: string): boolean => ids.includes(id),
  };
}
