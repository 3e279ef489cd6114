import type { Lane } from "./timeline.ts";

/** How far the derivation of a run has come. */
export interface LogState {
  /** Events that can be read. */
  readonly count: number;
  /** No more will come. */
  readonly done: boolean;
  /** Why there are no more, where it is not their end. */
  readonly problem: string | null;
  readonly lanes: readonly Lane[];
}
