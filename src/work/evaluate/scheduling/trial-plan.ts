import type { CaptureResult, CaseTask, TrialSpec } from "../trial/index.ts";

/** Decides which trials to run and handles their results. */
export interface TrialPlan {
  /** How many trials a case has; undefined if the results decide. */
  readonly perCase: number | undefined;
  /** The number of the next trial to run; undefined when there are none left. */
  next(task: CaseTask): number | undefined;
  accept(spec: TrialSpec, result: CaptureResult): void;
}

/** Ids can be any text, so the separator is a character that no id contains. */
export function keyOf({ id, agent }: { readonly id: string; readonly agent: string }): string {
  return `${agent}\n${id}`;
}
