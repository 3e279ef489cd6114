/**
 * The interface of every pipeline stage: bytes → lines → records → events → view.
 *
 * Eager: `push` returns what an input means, unless a later input can still change it.
 * Synchronous and total: never throws on data and never reads a clock, a random source, the disk or the environment. So the same
 * inputs give the same outputs, anywhere and at any time.
 */
export interface Translator<In, Out> {
  push(input: In): readonly Out[];
  /** Called once, after the last input. Returns what was held back. */
  end(): readonly Out[];
}

/** The empty answer, shared so that it costs nothing. */
export const nothing: readonly never[] = Object.freeze([]);
