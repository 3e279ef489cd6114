/**
 * `npm test` runs a sample of the largest campaigns, a different one every day; `npm run test:full` runs them completely. HARNESS_TEST_SEED
 * repeats the sample of another day: its number is part of the tests' names.
 */
export const isFull = process.env["HARNESS_TEST_FULL"] === "1";
const seed = Number(process.env["HARNESS_TEST_SEED"] ?? Math.floor(Date.now() / 86_400_000));

/** About `wanted` items, evenly spread, so that neighbours take turns. */
export function sample<T>(list: readonly T[], wanted: number): readonly T[] {
  const step = isFull ? 1 : Math.ceil(list.length / wanted);
  return list.filter((_, i) => i % step === seed % step);
}

/** The number of tries for a property. */
export function runs(few: number, all: number): number {
  return isFull ? all : few;
}

export function shareOf(some: { readonly length: number }, all: { readonly length: number }): string {
  return some.length === all.length ? `all ${all.length}` : `${some.length} of ${all.length}, seed ${seed}`;
}
