import { damagedRow, type OpenedRun, rowOfRun } from "../../../host/recording/index.ts";
import type { RunRow } from "../../../pure/pipeline/index.ts";
import { describeCall, type RunState } from "../account/index.ts";

/** A row of the list of runs, with its activity. Null means unknown. */
export interface WatchedRun extends RunRow {
  /** What a live run does or did last. */
  readonly activity: string | null;
  readonly lastAt: string | null;
}

const LONGEST = 300;

export function watchedRun({ manifest, directory, owner }: OpenedRun): WatchedRun {
  const { sealed } = manifest;
  const lastAt = sealed === undefined ? null : new Date(sealed.at).toISOString();
  return { ...rowOfRun(manifest, directory, owner !== undefined), activity: null, lastAt };
}

export function damagedRun(id: string): WatchedRun {
  return { ...damagedRow(id), activity: null, lastAt: null };
}

/** The run with what its records say so far. */
export function withNews(run: WatchedRun, state: RunState, { lastRow, at }: { lastRow: string; at: number }): WatchedRun {
  const { usage, cost, partialUsage, partialCost, model, sessionId, toolCalls } = state.summary();
  return {
    ...run,
    sessionId,
    model: model ?? run.model,
    prompt: state.run.prompt === "" ? null : state.run.prompt.slice(0, LONGEST), // masked, like all recorded text
    costUsd: cost,
    usage,
    partialUsage,
    partialCost,
    toolCalls,
    activity: activityOf(state) ?? (lastRow === "" ? null : lastRow),
    lastAt: new Date(at).toISOString(),
  };
}

function activityOf(state: RunState): string | undefined {
  const newest = [...state.calls.values()].findLast(({ hasOwnRows }) => !hasOwnRows);
  if (newest === undefined) return undefined;
  const { verb, text } = describeCall(newest.start, state.run.cwd);
  return `${verb} ${text}`.slice(0, LONGEST);
}
