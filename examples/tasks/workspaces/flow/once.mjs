/** A function that calls `load(key)` once for every key. */
export function remembered(load) {
  const values = new Map();
  return async (key) => {
    if (!values.has(key)) values.set(key, await load(key));
    return values.get(key);
  };
}
