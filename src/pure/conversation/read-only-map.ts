/** A read-only map made of a lookup and an iterator. */
export function readOnlyMap<V>(
  size: number,
  get: (key: string) => V | undefined,
  entries: () => Generator<[string, V]>,
): ReadonlyMap<string, V> {
  function* keys(): Generator<string> {
    for (const [key] of entries()) yield key;
  }
  function* values(): Generator<V> {
    for (const [, value] of entries()) yield value;
  }
  const map: ReadonlyMap<string, V> = {
    size,
    get,
    has: (key) => get(key) !== undefined,
    forEach(callback, thisArg) {
      for (const [key, value] of entries()) callback.call(thisArg, value, key, map);
    },
    entries,
    keys,
    values,
    [Symbol.iterator]: entries,
  };
  return Object.freeze(map);
}
