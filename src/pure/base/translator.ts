/**
 * The one shape every stage of the pipeline has: bytes → lines → records → events → view.
 *
 * Eager: what an input means is returned when it is pushed, unless a later input can still change it.
 * Synchronous and total: it never throws on data, never looks at a clock, a random source, the disk or the environment,
 * so the same inputs give the same outputs wherever and whenever they are pushed.
 */
export interface Translator<In, Out> {
  push(input: In): readonly Out[];
  /** Called once, after the last input: what was still held back. */
  end(): readonly Out[];
}

/** The empty answer. Shared, so that saying nothing costs nothing. */
export const nothing: readonly never[] = Object.freeze([]);
