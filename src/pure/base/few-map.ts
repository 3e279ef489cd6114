/** What is open at the moment, by id; in the order of coming. */
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
 * A map that mostly holds one entry and then none: an agent's calls come and go one at a time. A `Map` allocates its table anew whenever its last
 * entry goes, and computes the hash of every id; here the oldest entry stands beside the map, and is found by comparing.
 */
export function fewMap<Id extends string | number, Value>(): FewMap<Id, Value> {
  const others = new Map<Id, Value>(); // those that came while the first was there, or were left behind by it
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
