import { SHORTEST_SECRET } from "./secret-forms.ts";

/** `end` is exclusive. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** How many bytes of a form decide how far the search may skip, and the skip for pairs that occur in no form. */
const WINDOW = SHORTEST_SECRET;
const SKIP = WINDOW - 1;

/**
 * Finds these bytes: every range that one of them covers, in order; ranges that overlap or touch are merged. The time does not depend on the
 * number of forms: the search checks the last two bytes of a window, and most pairs of bytes occur in no form, so the window moves by seven
 * (Wu and Manber, 1994). Forms shorter than eight bytes are ignored.
 */
export function findBytes(forms: readonly Buffer[]): (bytes: Uint8Array) => readonly Place[] {
  const skips = new Uint8Array(0x10000).fill(SKIP);
  const ends = new Map<number, Buffer[]>();
  for (const form of forms) {
    if (form.length < WINDOW) continue;
    for (let i = 1; i < WINDOW; i++) {
      const pair = form.readUInt16BE(i - 1);
      skips[pair] = Math.min(skips[pair] ?? 0, WINDOW - 1 - i);
    }
    const pair = form.readUInt16BE(WINDOW - 2);
    ends.set(pair, [...(ends.get(pair) ?? []), form]);
  }

  return (bytes) => {
    const places = placeList();
    let last = WINDOW - 1;
    while (last < bytes.length) {
      const pair = ((bytes[last - 1] ?? 0) << 8) | (bytes[last] ?? 0);
      const skip = skips[pair] ?? 0;
      if (skip === 0) {
        const start = last - WINDOW + 1;
        for (const form of ends.get(pair) ?? []) {
          const end = start + form.length;
          if (bytes[start] === form[0] && end <= bytes.length && form.compare(bytes, start, end) === 0) places.add(start, end);
        }
      }
      last += skip === 0 ? 1 : skip;
    }
    return places.all;
  };
}

/** Collects ranges in order of their starts and merges those that overlap or touch. */
export function placeList(): { add(start: number, end: number): void; readonly all: readonly Place[] } {
  const all: { start: number; end: number }[] = [];
  return {
    all,
    add(start, end) {
      const last = all.at(-1);
      if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
      else all.push({ start, end });
    },
  };
}
