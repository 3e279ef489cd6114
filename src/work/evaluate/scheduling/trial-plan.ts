import type { CaptureResult, CaseTask, TrialSpec } from "../trial/index.ts";

/** What decides which trials there are, and what becomes of their results. */
export interface TrialPlan {
  /** How many trials a case has; undefined if that is decided as they come. */
  readonly perCase: number | undefined;
  /** The number of the next trial that is still to be run: asked until it answers undefined. */
  next(task: CaseTask): number | undefined;
  accept(spec: TrialSpec, result: CaptureResult): void;
}

/** Ids are any text: a separator that no id can hold. */
export function keyOf({ id, agent }: { readonly id: string; readonly agent: string }): string {
  return `${agent}\n${id}`;
}
