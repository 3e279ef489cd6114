import { stepRows } from "./step-rows.ts";
import type { OpenRun, Position } from "./watch-state.ts";

/** The index of the step with that number, or of the next one. */
export function indexOf({ window: { steps } }: OpenRun, seq: number): number {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((steps[middle]?.seq ?? 0) < seq) low = middle + 1;
    else high = middle;
  }
  return Math.min(low, Math.max(0, steps.length - 1));
}

function heightOf(run: OpenRun, index: number): number {
  const step = run.window.steps[index];
  return step === undefined ? 0 : stepRows(step, run).length;
}

/** Moves by a number of rows, within the first and the last. */
function moved(run: OpenRun, { seq, row }: Position, by: number): Position {
  const { steps } = run.window;
  let index = indexOf(run, seq);
  let at = (steps[index]?.seq === seq ? row : 0) + by;
  while (at < 0 && index > 0) at += heightOf(run, --index);
  while (index < steps.length - 1 && at >= heightOf(run, index)) at -= heightOf(run, index++);
  return { seq: steps[index]?.seq ?? 0, row: Math.max(0, Math.min(at, heightOf(run, index) - 1)) };
}

function isBefore(a: Position, b: Position): boolean {
  return a.seq < b.seq || (a.seq === b.seq && a.row < b.row);
}

/** The top position that puts the last row at the bottom. */
function lastTop(run: OpenRun, body: number): Position {
  const index = run.window.steps.length - 1;
  const end = { seq: run.window.steps[index]?.seq ?? 0, row: Math.max(0, heightOf(run, index) - 1) };
  return moved(run, end, 1 - body);
}

export function scrollBy(run: OpenRun, by: number, body: number): void {
  const top = moved(run, run.top, by);
  const last = lastTop(run, body);
  run.top = isBefore(last, top) ? last : top;
}

/** After keys and new records: selects an existing step, and fills the screen. */
export function settleRun(run: OpenRun, body: number): void {
  const { steps } = run.window;
  if (steps.length === 0) return;
  if (run.follows) run.selected = steps[steps.length - 1]?.seq ?? 0;
  else run.selected = steps[indexOf(run, run.selected)]?.seq ?? 0;
  if (run.follows) run.top = lastTop(run, body);
  else scrollBy(run, 0, body);
}

/** The first and last row of a step, counted from the top of the screen; it may be outside of it. */
export function placeOf(run: OpenRun, seq: number, body: number): { readonly from: number; readonly to: number } {
  const top = indexOf(run, run.top.seq);
  const index = indexOf(run, seq);
  let from = -run.top.row;
  if (index < top) for (let i = index; i < top; i++) from -= heightOf(run, i);
  else for (let i = top; i < index && from <= body; i++) from += heightOf(run, i);
  return { from, to: from + heightOf(run, index) };
}

/** Scrolls just enough to show the selected step, or its start if it is taller than the screen. */
export function reveal(run: OpenRun, body: number): void {
  const { from, to } = placeOf(run, run.selected, body);
  if (from < 0 || (to > body && to - from >= body)) run.top = { seq: run.selected, row: 0 };
  else if (to > body) run.top = moved(run, { seq: run.selected, row: to - from - 1 }, 1 - body);
}

/** Scrolls to a row of the selected step if it is not visible. */
export function revealRow(run: OpenRun, row: number, body: number): void {
  const at = placeOf(run, run.selected, body).from + row;
  if (at >= 0 && at < body) return;
  run.top = { seq: run.selected, row };
  scrollBy(run, -(body >> 1), body);
}

export function visibleRows(run: OpenRun, body: number): readonly { readonly seq: number; readonly row: number; readonly text: string }[] {
  const { steps } = run.window;
  const shown: { seq: number; row: number; text: string }[] = [];
  for (let index = indexOf(run, run.top.seq), skip = run.top.row; index < steps.length && shown.length < body; index++, skip = 0) {
    const step = steps[index];
    if (step === undefined) break;
    for (const [row, text] of stepRows(step, run).entries())
      if (row >= skip && shown.length < body) shown.push({ seq: step.seq, row, text });
  }
  return shown;
}
