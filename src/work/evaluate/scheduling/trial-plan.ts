import type { JsonObject } from "../../../pure/base/index.ts";
import { type Finished, trialsIn } from "../results/index.ts";
import { type CaptureResult, type CaseTask, classOf, isRepeated, type TrialEntry, type TrialSpec } from "../trial/index.ts";

/** Decides which trials to run and handles their results. */
export interface TrialPlan {
  /** How many trials a case has; undefined if the results decide. */
  readonly perCase: number | undefined;
  /** The number of the next trial to run; undefined when there are none left. */
  next(task: CaseTask): number | undefined;
  accept(spec: TrialSpec, result: CaptureResult): void;
  /** The finished trials of unfinished cases, as lines. */
  unfinished?(): readonly JsonObject[];
  /** Replaces the finished trials of unfinished cases by what `check` returns for them, before anything runs. */
  prove?(check: (work: Finished, entry: TrialEntry) => Promise<TrialEntry>): Promise<void>;
  /** Takes over the trials of a line that is not complete, before the file moves it away. */
  reopen(work: Finished, line: JsonObject): void;
}

/** The work behind a task, as in its line. */
export function workOf({ case: { id }, entrant, caseHash }: CaseTask): Finished {
  return { id, agent: entrant.label, configuration: entrant.configuration, caseHash };
}

/** The trials of a line that need not run again: all except those that say nothing about the agent. */
export function keptIn(line: JsonObject): readonly JsonObject[] {
  return trialsIn(line).filter((trial) => !isRepeated(classOf(trial).class));
}

/** Ids can be any text, so the separator is a character that no id contains. */
export function keyOf({ id, agent }: { readonly id: string; readonly agent: string }): string {
  return `${agent}\n${id}`;
}
