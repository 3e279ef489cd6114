import { damagedRow, type OpenedRun, rowOfRun } from "../../../host/recording/index.ts";
import type { RunRow } from "../../../pure/pipeline/index.ts";
import { describeCall, type RunState } from "../account/index.ts";

/** One run as it is known at a moment: what a list of runs has, and what goes on in it. Null is "not known". */
export interface WatchedRun extends RunRow {
  /** What it does or did last, in words; of a run that is over nothing. */
  readonly activity: string | null;
  /** When something was last heard of it. */
  readonly lastAt: string | null;
}

/** Of an activity as much as anybody shows. */
const LONGEST = 300;

export function watchedRun({ manifest, directory, owner }: OpenedRun): WatchedRun {
  const { sealed } = manifest;
  const lastAt = sealed === undefined ? null : new Date(sealed.at).toISOString();
  return { ...rowOfRun(manifest, directory, owner !== undefined), activity: null, lastAt };
}

export function damagedRun(id: string): WatchedRun {
  return { ...damagedRow(id), activity: null, lastAt: null };
}

/** The same run, after what its records have told so far. */
export function withNews(run: WatchedRun, state: RunState, { lastRow, at }: { lastRow: string; at: number }): WatchedRun {
  const { usage, cost, model, sessionId, toolCalls } = state.summary();
  return {
    ...run,
    sessionId,
    model: model ?? run.model,
    prompt: state.run.prompt === "" ? null : state.run.prompt.slice(0, LONGEST), // masked, as everything that is read
    costUsd: cost,
    usage,
    toolCalls,
    activity: activityOf(state) ?? (lastRow === "" ? null : lastRow),
    lastAt: new Date(at).toISOString(),
  };
}

/** The newest call that is under way. */
function activityOf(state: RunState): string | undefined {
  const newest = [...state.calls.values()].findLast(({ told }) => !told);
  if (newest === undefined) return undefined;
  const { verb, text } = describeCall(newest.start, state.run.cwd);
  return `${verb} ${text}`.slice(0, LONGEST);
}
