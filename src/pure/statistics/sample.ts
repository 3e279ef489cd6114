import { seededRandom } from "./seeded-random.ts";

/** A sample of `count` items in their original order, the same for the same seed; all items if there is no `count`. */
export function sampleOf<T>(items: readonly T[], count: number | undefined, seed: number | string): readonly T[] {
  if (count === undefined || count >= items.length) return items;
  const random = seededRandom(seed);
  const places = Array.from(items.keys());
  for (let index = 0; index < count; index++) {
    const other = index + random.below(places.length - index);
    const [a = index, b = other] = [places[index], places[other]];
    places[index] = b;
    places[other] = a;
  }
  const chosen = new Set(places.slice(0, count));
  return items.filter((_, index) => chosen.has(index));
}
