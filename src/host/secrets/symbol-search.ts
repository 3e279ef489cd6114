import { NO_SIGN } from "./full-line.ts";

/** The letters of an encoding: the value of each byte, `NO_SIGN` for others, and how many bits a letter carries. */
export interface Alphabet {
  readonly values: Uint8Array;
  readonly bits: number;
}

/** How many bits decide how far the search may skip. */
const BLOCK_BITS = 15;
const LONGEST_WINDOW = 32;

/**
 * Whether one of these forms may be encoded in the bytes: at least its first letters are there, at any offset. It compares letters, so that
 * only what is found must be decoded. The time does not depend on the number of forms (Wu and Manber, 1994), and any other byte moves
 * the window past it.
 */
export function symbolSearch({ values, bits }: Alphabet, forms: readonly Uint8Array[]): (bytes: Uint8Array) => boolean {
  const offsets = new Set(Array.from({ length: bits }, (_, bytes) => (bits - ((8 * bytes) % bits)) % bits));
  const needles = forms.flatMap((form) => [...offsets].map((offset) => lettersOf(form, offset, bits)));
  const window = Math.min(LONGEST_WINDOW, ...needles.map(({ length }) => length));
  const block = Math.floor(BLOCK_BITS / bits);
  const mask = (1 << (bits * block)) - 1;
  const skips = new Uint8Array(mask + 1).fill(window - block + 1);
  const ends = new Map<number, Uint8Array[]>();
  for (const needle of needles) {
    let code = 0;
    for (let i = 0; i < window; i++) {
      code = ((code << bits) | (needle[i] ?? 0)) & mask;
      if (i >= block - 1) skips[code] = Math.min(skips[code] ?? 0, window - 1 - i);
    }
    const same = ends.get(code);
    if (same === undefined) ends.set(code, [needle]);
    else same.push(needle);
  }

  function isAt(bytes: Uint8Array, start: number, code: number): boolean {
    return (
      ends.get(code)?.some((needle) => needle.subarray(0, window).every((value, i) => value === values[bytes[start + i] ?? 0])) ?? false
    );
  }

  return (bytes) => {
    for (let last = window - 1; last < bytes.length; ) {
      let code = 0;
      let gap = -1;
      for (let i = last; i > last - block; i--) {
        const value = values[bytes[i] ?? 0] ?? NO_SIGN;
        if (value === NO_SIGN) {
          gap = i;
          break;
        }
        code |= value << (bits * (last - i));
      }
      if (gap >= 0) {
        last = gap + window;
        continue;
      }
      const skip = skips[code] ?? 0;
      if (skip > 0) last += skip;
      else if (isAt(bytes, last - window + 1, code)) return true;
      else last++;
    }
    return false;
  };
}

/** The letters that depend on these bytes alone, if a letter begins at this bit. */
function lettersOf(form: Uint8Array, offset: number, bits: number): Uint8Array {
  const letters = new Uint8Array(Math.floor((8 * form.length - offset) / bits));
  for (let i = 0; i < letters.length; i++) {
    const bit = offset + i * bits;
    const pair = ((form[bit >> 3] ?? 0) << 8) | (form[(bit >> 3) + 1] ?? 0);
    letters[i] = (pair >> (16 - (bit & 7) - bits)) & ((1 << bits) - 1);
  }
  return letters;
}
