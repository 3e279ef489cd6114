import { stepRows } from "./step-rows.ts";
import type { OpenRun, Position } from "./watch-state.ts";

/** The step with that number, or the first after it. */
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

/** So many rows further down, or up, but not past the first and not past the last. */
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

/** With this at the top, the last row is at the bottom. */
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

/** Makes what the keys and the news have left to hold: the selected step exists, and the screen is as full as it can be. */
export function settleRun(run: OpenRun, body: number): void {
  const { steps } = run.window;
  if (steps.length === 0) return;
  if (run.follows) run.selected = steps[steps.length - 1]?.seq ?? 0;
  else run.selected = steps[indexOf(run, run.selected)]?.seq ?? 0;
  if (run.follows) run.top = lastTop(run, body);
  else scrollBy(run, 0, body);
}

/** Where the selected step begins and ends, in rows from the top of the screen; it may be above it, or below. */
export function placeOf(run: OpenRun, seq: number, body: number): { readonly from: number; readonly to: number } {
  const top = indexOf(run, run.top.seq);
  const index = indexOf(run, seq);
  let from = -run.top.row;
  if (index < top) for (let i = index; i < top; i++) from -= heightOf(run, i);
  else for (let i = top; i < index && from <= body; i++) from += heightOf(run, i);
  return { from, to: from + heightOf(run, index) };
}

/** Scrolls as little as shows the selected step, its beginning where it is taller than the screen. */
export function reveal(run: OpenRun, body: number): void {
  const { from, to } = placeOf(run, run.selected, body);
  if (from < 0 || (to > body && to - from >= body)) run.top = { seq: run.selected, row: 0 };
  else if (to > body) run.top = moved(run, { seq: run.selected, row: to - from - 1 }, 1 - body);
}

/** Shows this row of the selected step, where it is not shown already. */
export function revealRow(run: OpenRun, row: number, body: number): void {
  const at = placeOf(run, run.selected, body).from + row;
  if (at >= 0 && at < body) return;
  run.top = { seq: run.selected, row };
  scrollBy(run, -(body >> 1), body);
}

/** The rows that are on the screen, and whose they are. */
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
