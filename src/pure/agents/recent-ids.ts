/** How many ids are remembered. What comes late about something that has ended comes soon after. */
const REMEMBERED = 1024;

/** A set of ids that forgets the old ones: a run may have any number of them. To add one costs nothing; it is seldom asked. */
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
