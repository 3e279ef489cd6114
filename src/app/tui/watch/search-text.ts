import { plainOf } from "../../terminal/index.ts";
import { layoutOf } from "./layout.ts";
import { listedIds } from "./list-frame.ts";
import { indexOf, revealRow } from "./scroll.ts";
import { stepRows } from "./step-rows.ts";
import type { Step } from "./step-window.ts";
import type { OpenRun, WatchState } from "./watch-state.ts";
import type { WatchedRun } from "./watched-run.ts";

/** Goes to the next place that holds the words, in whatever case, or the one before; past the end it begins again. */
export function searchText(state: WatchState, by: 1 | -1, includesHere: boolean): void {
  if (state.query === "") return;
  const words = state.query.toLowerCase();
  const found = state.run === undefined ? searchList(state, words, by, includesHere) : searchRun(state, state.run, words, by, includesHere);
  if (!found) state.note = `not found: ${state.query}`;
}

function searchList(state: WatchState, words: string, by: 1 | -1, includesHere: boolean): boolean {
  const ids = listedIds(state);
  const runs = new Map(state.runs.map((run) => [run.id, run]));
  const here = Math.max(0, ids.indexOf(state.selected ?? ""));
  const index = nextIndex(ids.length, here, by, includesHere, (i) => isAbout(runs.get(ids[i] ?? ""), words));
  if (index !== undefined) state.selected = ids[index];
  return index !== undefined;
}

function isAbout(run: WatchedRun | undefined, words: string): boolean {
  if (run === undefined) return false;
  const { id, agent, model, status, name, tags, prompt, activity } = run;
  return [id, agent, model, status, name, ...tags, prompt, activity].join("\n").toLowerCase().includes(words);
}

function searchRun(state: WatchState, run: OpenRun, words: string, by: 1 | -1, includesHere: boolean): boolean {
  const { steps } = run.window;
  const holds = (i: number) => {
    const step = steps[i];
    return step !== undefined && (rowWith(step.rows, words) >= 0 || isBehind(step, words));
  };
  const index = nextIndex(steps.length, indexOf(run, run.selected), by, includesHere, holds);
  const step = index === undefined ? undefined : steps[index];
  if (step === undefined) return false;
  run.follows = false;
  run.selected = step.seq;
  if (rowWith(step.rows, words) < 0) run.expanded.add(step.seq); // else nobody would see why it was found
  revealRow(run, Math.max(0, rowWith(stepRows(step, run), words)), layoutOf(state.rows).body);
  return true;
}

function isBehind({ details }: Step, words: string): boolean {
  return details.some(({ text }) => text.toLowerCase().includes(words));
}

function rowWith(rows: readonly string[], words: string): number {
  return rows.findIndex((row) => plainOf(row).toLowerCase().includes(words));
}

function nextIndex(count: number, here: number, by: 1 | -1, includesHere: boolean, holds: (index: number) => boolean): number | undefined {
  for (let i = includesHere ? 0 : 1; i <= count; i++) {
    const index = (((here + by * i) % count) + count) % count;
    if (holds(index)) return index;
  }
  return undefined;
}
