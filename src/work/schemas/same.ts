/** True where two types describe the same values; so a schema and the type of its view cannot drift apart unnoticed. */
export type Same<A, B> = Covers<Flat<A>, Flat<B>> extends true ? Covers<Flat<B>, Flat<A>> : false;

type Covers<A, B> = [A] extends [B] ? true : false;

/**
 * `readonly` makes no difference to what a value looks like. An optional key is wrapped, because assignability alone would
 * not notice one that is missing on one side.
 */
type Flat<T> = T extends readonly (infer Item)[]
  ? Flat<Item>[]
  : T extends object
    ? { -readonly [K in keyof T]-?: object extends Pick<T, K> ? { maybe: Flat<T[K]> } : Flat<T[K]> }
    : T;
