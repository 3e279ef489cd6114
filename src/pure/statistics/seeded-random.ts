/** Random numbers that are the same for the same seed on every machine: xoshiro128** (Blackman, Vigna), seeded by splitmix32. */
export interface SeededRandom {
  /** In [0, 1), with 32 bits. */
  next(): number;
  /** An integer in [0, below). */
  below(count: number): number;
}

export function seededRandom(seed: number | string): SeededRandom {
  let mix = typeof seed === "number" ? seed >>> 0 : hash(seed);
  const fill = () => {
    mix = (mix + 0x9e3779b9) >>> 0;
    let z = mix;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return (z ^ (z >>> 16)) >>> 0;
  };
  let [a, b, c, d] = [fill(), fill(), fill(), fill()];

  function next32(): number {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotate(d, 11);
    return result;
  }

  return { next: () => next32() / 2 ** 32, below: (count) => Math.floor((next32() / 2 ** 32) * count) };
}

function rotate(x: number, by: number): number {
  return (x << by) | (x >>> (32 - by));
}

/** FNV-1a, for seeds that are text. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value >>> 0;
}
