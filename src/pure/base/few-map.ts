/** What is currently open, by id, in insertion order. */
export interface FewMap<Id extends string | number, Value> {
  get(id: Id): Value | undefined;
  has(id: Id): boolean;
  set(id: Id, value: Value): void;
  delete(id: Id): void;
  size(): number;
  keys(): readonly Id[];
  values(): readonly Value[];
}

/**
 * A map that mostly holds one entry and then none, because an agent's calls come and go one at a time. A `Map` allocates a new table
 * whenever its last entry goes, and hashes every id. Here the oldest entry is kept outside the map and found by comparison.
 */
export function fewMap<Id extends string | number, Value>(): FewMap<Id, Value> {
  const others = new Map<Id, Value>(); // entries that arrived while the first one was open
  let id: Id | undefined;
  let value: Value | undefined;

  return {
    get: (wanted) => (wanted === id ? value : others.size === 0 ? undefined : others.get(wanted)),
    has: (wanted) => wanted === id || (others.size > 0 && others.has(wanted)),
    set(given, its) {
      if (given !== id && (id !== undefined || others.size > 0)) others.set(given, its);
      else {
        id = given;
        value = its;
      }
    },
    delete(gone) {
      if (gone !== id) {
        if (others.size > 0) others.delete(gone);
        return;
      }
      id = undefined;
      value = undefined;
    },
    size: () => others.size + (id === undefined ? 0 : 1),
    keys: () => (id === undefined ? [...others.keys()] : [id, ...others.keys()]),
    values: () => (id === undefined ? [...others.values()] : [value as Value, ...others.values()]),
  };
}
