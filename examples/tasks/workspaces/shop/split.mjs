/** A bill of so many cents, split among so many people. */
export function split(cents, people) {
  return Array.from({ length: people }, () => Math.round(cents / people));
}
