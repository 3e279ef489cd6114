/** Where a recording is not what it was when it was sealed. */
export interface Flaw {
  readonly file: string;
  /** From 1. */
  readonly line?: number;
  /** The byte at which that line begins. */
  readonly offset?: number;
  readonly problem: string;
}
