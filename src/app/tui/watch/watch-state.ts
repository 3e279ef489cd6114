import type { StepWindow } from "./step-window.ts";
import type { WatchedRun } from "./watched-run.ts";

/** A row of an account: the step it belongs to, and which of its rows it is. */
export interface Position {
  readonly seq: number;
  readonly row: number;
}

/** A run that is open on the screen. */
export interface OpenRun {
  readonly id: string;
  window: StepWindow;
  /** The step that keys act on. */
  selected: number;
  /** What the first row of the screen shows. */
  top: Position;
  /** Whether the newest step is selected and shown, whatever comes. */
  follows: boolean;
  readonly expanded: Set<number>;
  /** Why it cannot be read, where it cannot. */
  problem: string;
  isRead: boolean;
}

/** All that decides what is on the screen. */
export interface WatchState {
  rows: number;
  columns: number;
  /** Epoch milliseconds. */
  now: number;
  /** Whether the runs have been looked at once. */
  isReady: boolean;
  /** Newest first. */
  runs: readonly WatchedRun[];
  /** The id of the run that keys act on, and the first line of the list that is shown. */
  selected: string | undefined;
  top: number;
  run: OpenRun | undefined;
  showsHelp: boolean;
  /** What is being typed to be searched for. */
  typing: string | undefined;
  query: string;
  /** Told until the next key. */
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

/** Live ones first; otherwise as they are. */
export function inOrder(runs: readonly WatchedRun[]): { live: readonly WatchedRun[]; over: readonly WatchedRun[] } {
  return { live: runs.filter(isLive), over: runs.filter((run) => !isLive(run)) };
}

export function isLive({ status }: WatchedRun): boolean {
  return status === "running";
}
