import type { Lane } from "./timeline.ts";

/** The progress of deriving a run. */
export interface LogState {
  /** The number of readable events. */
  readonly count: number;
  /** No more events will follow. */
  readonly done: boolean;
  /** Why it stopped early, if it did. */
  readonly problem: string | null;
  readonly lanes: readonly Lane[];
}
