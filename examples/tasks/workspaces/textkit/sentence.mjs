/** ["a", "b", "c"] is "a, b and c". */
export function sentence(words) {
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
