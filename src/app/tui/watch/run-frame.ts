import { clip, counted, notes } from "../../../pure/base/index.ts";
import { shortCost } from "../../../pure/events/index.ts";
import { colors, fitted, highlighted } from "../../terminal/index.ts";
import { statusLine, tokensSoFar } from "../account/index.ts";
import { layoutOf, MARK, roomOf } from "./layout.ts";
import { iconOf, timeOf } from "./list-frame.ts";
import { indexOf, visibleRows } from "./scroll.ts";
import { isLive, type OpenRun, type WatchState } from "./watch-state.ts";
import type { WatchedRun } from "./watched-run.ts";

export function runHead(state: WatchState, run: OpenRun): readonly string[] {
  const room = roomOf(state.columns);
  const known = state.runs.find(({ id }) => id === run.id);
  const about = notes(known?.agent ?? "", known?.model ?? "", known?.status?.replace("_", " ") ?? "", known && timeOf(known, state.now));
  const where = clip(whereOf(run), room >> 1);
  const title = clip(about === "" ? run.id : about, Math.max(1, room - 3 - where.length - 2));
  const first = room < 24 ? clip(about, room) : `${iconOf(known?.status ?? null)} ${colors.bold(title)}  ${colors.dim(where)}`;
  return [fitted(first, room), colors.dim(clip(notes(run.id, ...factsOf(known)), room))];
}

function factsOf(run: WatchedRun | undefined): readonly string[] {
  if (run === undefined) return [];
  const calls = run.toolCalls === null || run.toolCalls === 0 ? "" : counted(run.toolCalls, "tool call");
  return [tokensSoFar(run), shortCost(run.costUsd, run.partialCost) ?? "", calls];
}

function whereOf(run: OpenRun): string {
  const { steps } = run.window;
  const dropped = run.window.dropped();
  const many = dropped + steps.length;
  if (many === 0) return "";
  if (run.follows) return "following";
  return `step ${dropped + indexOf(run, run.selected) + 1} of ${many}`;
}

export function runBody(state: WatchState, run: OpenRun): readonly string[] {
  const { body } = layoutOf(state.rows);
  const room = roomOf(state.columns);
  if (run.window.steps.length === 0) return [colors.dim(clip(emptyText(run), room))];
  let isMarked = false;
  const rows = visibleRows(run, body).map(({ seq, text }) => {
    const isHere = seq === run.selected && (text !== "" || isMarked);
    isMarked ||= isHere;
    return `${isHere ? colors.cyan("▌") : " ".repeat(MARK)}${highlighted(text, state.query)}`;
  });
  return rows.map((row) => fitted(row, room));
}

function emptyText({ problem, isRead }: OpenRun): string {
  if (problem !== "") return problem;
  return isRead ? "the agent printed nothing" : "reading …";
}

/** The activity of a live run; for a finished run, how many steps were dropped. */
export function runStatus(state: WatchState, run: OpenRun): string {
  const known = state.runs.find(({ id }) => id === run.id);
  const room = roomOf(state.columns);
  if (known !== undefined && isLive(known) && known.startedAt !== null && !run.window.state.hasEnded()) {
    const elapsed = state.now - known.startedAt;
    return fitted(` ${statusLine(run.window.state, { elapsed, now: state.now, columns: room })}`, room);
  }
  if (run.problem !== "") return colors.yellow(clip(run.problem, room));
  const dropped = run.window.dropped();
  return dropped === 0 ? "" : colors.dim(clip(` ${counted(dropped, "earlier step")} not kept: harness derive ${run.id} --view log`, room));
}
