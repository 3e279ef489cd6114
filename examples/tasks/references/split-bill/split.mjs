/** Splits a bill in cents among people. The first ones pay the remaining cents. */
export function split(cents, people) {
  const share = Math.floor(cents / people);
  const left = cents - share * people;
  return Array.from({ length: people }, (_, index) => share + (index < left ? 1 : 0));
}
