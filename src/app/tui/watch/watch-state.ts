import type { StepWindow } from "./step-window.ts";
import type { WatchedRun } from "./watched-run.ts";

/** A row of an account: the step, and the row within it. */
export interface Position {
  readonly seq: number;
  readonly row: number;
}

export interface OpenRun {
  readonly id: string;
  window: StepWindow;
  /** The step that keys act on. */
  selected: number;
  top: Position;
  /** Whether the newest step is always selected. */
  follows: boolean;
  readonly expanded: Set<number>;
  /** Why it cannot be read, if it cannot. */
  problem: string;
  isRead: boolean;
}

export interface WatchState {
  rows: number;
  columns: number;
  /** Epoch milliseconds. */
  now: number;
  /** Whether all runs have been read once. */
  isReady: boolean;
  /** Newest first. */
  runs: readonly WatchedRun[];
  selected: string | undefined;
  top: number;
  run: OpenRun | undefined;
  showsHelp: boolean;
  /** The search text while it is typed. */
  typing: string | undefined;
  query: string;
  /** Shown until the next key. */
  note: string;
}

export function watchState(): WatchState {
  return {
    rows: 24,
    columns: 80,
    now: 0,
    isReady: false,
    runs: [],
    selected: undefined,
    top: 0,
    run: undefined,
    showsHelp: false,
    typing: undefined,
    query: "",
    note: "",
  };
}

export function openedRun(id: string, window: StepWindow): OpenRun {
  return { id, window, selected: 0, top: { seq: 0, row: 0 }, follows: true, expanded: new Set(), problem: "", isRead: false };
}

/** Live runs and finished ones, each in the given order. */
export function inOrder(runs: readonly WatchedRun[]): { live: readonly WatchedRun[]; over: readonly WatchedRun[] } {
  return { live: runs.filter(isLive), over: runs.filter((run) => !isLive(run)) };
}

export function isLive({ status }: WatchedRun): boolean {
  return status === "running";
}
