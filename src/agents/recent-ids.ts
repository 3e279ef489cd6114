/** How long an id is remembered at least, in ids. What comes late about something that has ended comes soon after. */
const REMEMBERED = 1024;

/** A set of ids that forgets the old ones: a run may have any number of them. */
export function recentIds() {
  let recent = new Set<string>();
  let before = new Set<string>();

  return {
    add(id: string): void {
      if (recent.size >= REMEMBERED) {
        before = recent;
        recent = new Set();
      }
      recent.add(id);
    },
    has: (id: string): boolean => recent.has(id) || before.has(id),
  };
}
