/** Splits a bill in cents among people. */
export function split(cents, people) {
  return Array.from({ length: people }, () => Math.round(cents / people));
}
