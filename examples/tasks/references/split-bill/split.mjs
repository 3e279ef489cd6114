/** A bill of so many cents, split among so many people; the first ones pay the cents that are left. */
export function split(cents, people) {
  const share = Math.floor(cents / people);
  const left = cents - share * people;
  return Array.from({ length: people }, (_, index) => share + (index < left ? 1 : 0));
}
