/** Numbers that follow from a seed; neighbouring seeds have nothing in common. */
export function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 8;
  };
}

export const pick = (random, list) => list[random() % list.length];

export const chance = (random, share) => random() % 1_000 < share * 1_000;

/** Every order of magnitude is as likely: below 2 to the power of `bits`. */
export const upTo = (random, bits) => random() % 2 ** (random() % (bits + 1));
