/** A cache of at most `size` entries. It drops the least recently used one first. */
export class Lru {
  #values = new Map();

  constructor(size) {
    this.size = size;
  }

  get(key) {
    if (!this.#values.has(key)) return undefined;
    const value = this.#values.get(key);
    this.set(key, value);
    return value;
  }

  set(key, value) {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size > this.size) this.#values.delete(this.#values.keys().next().value);
  }
}
