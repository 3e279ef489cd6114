/** A place where a recording is not as it was sealed. */
export interface Flaw {
  readonly file: string;
  /** From 1. */
  readonly line?: number;
  /** The byte at which the line begins. */
  readonly offset?: number;
  readonly problem: string;
}
