/** Numbers that follow from a seed. */
export function generator(seed) {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}

export const pick = (random, list) => list[random() % list.length];

export const chance = (random, share) => random() % 1_000 < share * 1_000;

/** Every order of magnitude is as likely: below 2 to the power of `bits`. */
export const upTo = (random, bits) => random() % 2 ** (random() % (bits + 1));
