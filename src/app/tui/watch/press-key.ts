import { layoutOf } from "./layout.ts";
import { listedIds, listLines } from "./list-frame.ts";
import type { Key } from "./read-keys.ts";
import { indexOf, placeOf, reveal, scrollBy, settleRun, visibleRows } from "./scroll.ts";
import { searchText } from "./search-text.ts";
import type { OpenRun, WatchState } from "./watch-state.ts";

/** A request of a key that needs more than a change of the state. */
export type Wish =
  | { readonly type: "quit"; readonly interrupted?: true }
  | { readonly type: "open"; readonly id: string }
  | { readonly type: "close" }
  | { readonly type: "suspend" }
  | { readonly type: "redraw" };

export function pressKey(state: WatchState, key: Key): Wish | undefined {
  state.note = "";
  if (key === "ctrl-c") return { type: "quit", interrupted: true };
  if (key === "ctrl-z") return { type: "suspend" };
  if (key === "ctrl-l") return { type: "redraw" };
  if (state.typing !== undefined) return typeKey(state, key, state.typing);
  if (state.showsHelp) {
    state.showsHelp = !["?", "q", "escape", "enter", "space"].includes(key);
    return undefined;
  }
  switch (key) {
    case "?":
      state.showsHelp = true;
      return undefined;
    case "/":
      state.typing = "";
      return undefined;
    case "n":
    case "N":
      if (state.query === "") state.note = "press / to search first";
      searchText(state, key === "n" ? 1 : -1, false);
      return undefined;
    case "escape":
      if (state.query !== "") {
        state.query = ""; // the first press only removes the highlights
        return undefined;
      }
      return { type: state.run === undefined ? "quit" : "close" };
    case "q":
      return { type: state.run === undefined ? "quit" : "close" };
  }
  return state.run === undefined ? pressInList(state, key) : pressInRun(state, state.run, key);
}

/** Before every frame: selects an existing run or step, and scrolls to it. */
export function settle(state: WatchState): void {
  const { body, status } = layoutOf(state.rows);
  if (state.run !== undefined) return settleRun(state.run, body);
  const ids = listedIds(state);
  if (!ids.includes(state.selected ?? "")) state.selected = ids[0];
  const lines = listLines(state);
  const room = body + status; // the list has no status
  const first = lines.findIndex(({ id }) => id !== undefined && id === state.selected);
  const last = lines.findLastIndex(({ id }) => id !== undefined && id === state.selected);
  if (state.selected === ids[0]) state.top = 0; // with the headings
  if (last >= state.top + room) state.top = last - room + 1;
  if (first >= 0 && first < state.top) state.top = first;
  state.top = Math.max(0, Math.min(state.top, lines.length - room));
}

function typeKey(state: WatchState, key: Key, typed: string): undefined {
  if (key === "enter") {
    state.typing = undefined;
    if (typed !== "") state.query = typed;
    searchText(state, 1, true);
  } else if (key === "escape") state.typing = undefined;
  else if (key === "ctrl-u") state.typing = "";
  else if (key === "backspace") state.typing = typed === "" ? undefined : Array.from(typed).slice(0, -1).join("");
  else if (key === "space") state.typing = `${typed} `;
  else if (Array.from(key).length === 1) state.typing = typed + key;
}

function pressInList(state: WatchState, key: Key): Wish | undefined {
  const ids = listedIds(state);
  const { body } = layoutOf(state.rows);
  const here = Math.max(0, ids.indexOf(state.selected ?? ""));
  const moves: Readonly<Record<string, number>> = {
    j: here + 1,
    down: here + 1,
    k: here - 1,
    up: here - 1,
    "page-down": here + body,
    "page-up": here - body,
    home: 0,
    g: 0,
    end: ids.length - 1,
    G: ids.length - 1,
  };
  if (Object.hasOwn(moves, key)) state.selected = ids[Math.max(0, Math.min(moves[key] ?? 0, ids.length - 1))];
  const opens = ["enter", "space", "right", "l"].includes(key);
  return opens && state.selected !== undefined ? { type: "open", id: state.selected } : undefined;
}

function pressInRun(state: WatchState, run: OpenRun, key: Key): Wish | undefined {
  const { body } = layoutOf(state.rows);
  switch (key) {
    case "j":
    case "down":
      step(run, 1, body);
      break;
    case "k":
    case "up":
      step(run, -1, body);
      break;
    case "page-down":
      page(run, 1, body);
      break;
    case "page-up":
      page(run, -1, body);
      break;
    case "home":
    case "g":
      run.follows = false;
      run.selected = run.window.steps[0]?.seq ?? 0;
      run.top = { seq: run.selected, row: 0 };
      break;
    case "end":
    case "G":
      run.follows = true;
      break;
    case "f":
      run.follows = !run.follows;
      break;
    case "enter":
    case "space":
      toggle(state, run, body);
      break;
    case "e":
      toggleAll(run, body);
      break;
    case "left":
    case "h":
      return { type: "close" };
  }
  return undefined;
}

/** Scrolls row by row through a step that is taller than the screen. */
function step(run: OpenRun, by: 1 | -1, body: number): void {
  const { steps } = run.window;
  const { from, to } = placeOf(run, run.selected, body);
  run.follows = false;
  if (by > 0 ? to > body && from <= 0 : from < 0) return scrollBy(run, by, body);
  const next = steps[indexOf(run, run.selected) + by];
  if (next === undefined) return scrollBy(run, by, body);
  run.selected = next.seq;
  const { from: begin, to: end } = placeOf(run, next.seq, body);
  if (by < 0 && end - begin >= body)
    scrollBy(run, -1, body); // show its end first
  else reveal(run, body);
}

function page(run: OpenRun, by: 1 | -1, body: number): void {
  run.follows = false;
  scrollBy(run, by * Math.max(1, body - 1), body);
  const shown = visibleRows(run, body);
  const { seq } = (by > 0 ? shown[shown.length - 1] : shown[0]) ?? { seq: run.selected };
  run.selected = seq;
}

function toggle(state: WatchState, run: OpenRun, body: number): void {
  const step = run.window.steps[indexOf(run, run.selected)];
  if (step === undefined) return;
  if (step.details.length === 0) {
    state.note = "this step has no details";
    return;
  }
  run.follows = false; // so that the opened step stays on the screen
  if (!run.expanded.delete(step.seq)) run.expanded.add(step.seq);
  reveal(run, body);
}

function toggleAll(run: OpenRun, body: number): void {
  run.follows = false;
  const isAny = run.expanded.size > 0;
  run.expanded.clear();
  if (!isAny) for (const { seq, details } of run.window.steps) if (details.length > 0) run.expanded.add(seq);
  settleRun(run, body);
  reveal(run, body);
}
