/** A small generator whose seed is printed on failure: fast-check would spend its time on shrinking streams. */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 8;
  };
}

export function pick<T>(list: readonly T[], random: () => number): T {
  const chosen = list[random() % list.length];
  if (chosen === undefined) throw new Error("nothing to pick from");
  return chosen;
}
