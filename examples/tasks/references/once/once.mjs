/** A function that asks `load(key)` once for every key, also if it is asked again meanwhile; a failure is not remembered. */
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
