/** A function that calls `load(key)` once for every key, even while the first call is pending. It forgets failures. */
export function remembered(load) {
  const values = new Map();
  return (key) => {
    const known = values.get(key);
    if (known !== undefined) return known;
    const value = (async () => load(key))();
    values.set(key, value);
    value.catch(() => values.delete(key));
    return value;
  };
}
