import { plainOf } from "../../terminal/index.ts";
import { layoutOf } from "./layout.ts";
import { listedIds } from "./list-frame.ts";
import { indexOf, revealRow } from "./scroll.ts";
import { stepRows } from "./step-rows.ts";
import type { Step } from "./step-window.ts";
import type { OpenRun, WatchState } from "./watch-state.ts";
import type { WatchedRun } from "./watched-run.ts";

/** Goes to the next or previous match, ignoring case, and wraps around at the end. */
export function searchText(state: WatchState, by: 1 | -1, includesHere: boolean): void {
  if (state.query === "") return;
  const query = state.query.toLowerCase();
  const found = state.run === undefined ? searchList(state, query, by, includesHere) : searchRun(state, state.run, query, by, includesHere);
  if (!found) state.note = `not found: ${state.query}`;
}

function searchList(state: WatchState, query: string, by: 1 | -1, includesHere: boolean): boolean {
  const ids = listedIds(state);
  const runs = new Map(state.runs.map((run) => [run.id, run]));
  const here = Math.max(0, ids.indexOf(state.selected ?? ""));
  const index = nextIndex(ids.length, here, by, includesHere, (i) => isAbout(runs.get(ids[i] ?? ""), query));
  if (index !== undefined) state.selected = ids[index];
  return index !== undefined;
}

function isAbout(run: WatchedRun | undefined, query: string): boolean {
  if (run === undefined) return false;
  const { id, agent, model, status, name, tags, prompt, activity } = run;
  return [id, agent, model, status, name, ...tags, prompt, activity].join("\n").toLowerCase().includes(query);
}

function searchRun(state: WatchState, run: OpenRun, query: string, by: 1 | -1, includesHere: boolean): boolean {
  const { steps } = run.window;
  const holds = (i: number) => {
    const step = steps[i];
    return step !== undefined && (rowWith(step.rows, query) >= 0 || isBehind(step, query));
  };
  const index = nextIndex(steps.length, indexOf(run, run.selected), by, includesHere, holds);
  const step = index === undefined ? undefined : steps[index];
  if (step === undefined) return false;
  run.follows = false;
  run.selected = step.seq;
  if (rowWith(step.rows, query) < 0) run.expanded.add(step.seq); // otherwise the match would be hidden
  revealRow(run, Math.max(0, rowWith(stepRows(step, run), query)), layoutOf(state.rows).body);
  return true;
}

function isBehind({ details }: Step, query: string): boolean {
  return details.some(({ text }) => text.toLowerCase().includes(query));
}

function rowWith(rows: readonly string[], query: string): number {
  return rows.findIndex((row) => plainOf(row).toLowerCase().includes(query));
}

function nextIndex(count: number, here: number, by: 1 | -1, includesHere: boolean, holds: (index: number) => boolean): number | undefined {
  for (let i = includesHere ? 0 : 1; i <= count; i++) {
    const index = (((here + by * i) % count) + count) % count;
    if (holds(index)) return index;
  }
  return undefined;
}
