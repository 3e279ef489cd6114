import { clip, columnsOf, counted, duration } from "../../../pure/base/index.ts";
import { shortCost } from "../../../pure/events/index.ts";
import { colors, highlighted } from "../../terminal/index.ts";
import { tokensSoFar } from "../account/index.ts";
import { layoutOf, roomOf } from "./layout.ts";
import { inOrder, isLive, type WatchState } from "./watch-state.ts";
import type { WatchedRun } from "./watched-run.ts";

/** A line of the list and its run; headings have none. */
export interface ListLine {
  readonly id?: string;
  readonly run?: WatchedRun;
  readonly kind: "heading" | "blank" | "run" | "activity";
  readonly text: string;
}

interface Column {
  readonly title: string;
  readonly width: number;
  /** The narrowest screen that shows it; without one, it is shown if the task keeps `TASK` columns. */
  readonly from?: number;
  readonly of: (run: WatchedRun, now: number) => string;
  readonly right?: true;
}

const COLUMNS: readonly Column[] = [
  { title: "agent", width: 11, from: 0, of: ({ agent }) => agent ?? "" },
  { title: "status", width: 10, from: 34, of: ({ status }) => status?.replace("_", " ") ?? "unknown" },
  { title: "time", width: 8, from: 26, of: timeOf, right: true },
  { title: "cost", width: 9, of: ({ costUsd, partialCost }) => shortCost(costUsd, partialCost) ?? "", right: true },
  { title: "model", width: 15, of: ({ model }) => model ?? "" },
  { title: "tokens", width: 17, of: tokensSoFar },
];

/** The mark, the icon and the spaces around them. */
const MARGIN = 4;
/** The name and the prompt matter more than cost, model and tokens. */
const TASK = 26;
const LEAST_TASK = 14;

/** The lines of the list in order. Their text is rendered later, for the lines on the screen only. */
export function listLines({ runs }: Pick<WatchState, "runs">): readonly ListLine[] {
  const { live, over } = inOrder(runs);
  const lines: ListLine[] = [{ kind: "heading", text: live.length === 0 ? "no live run" : counted(live.length, "live run") }];
  for (const run of live) lines.push({ kind: "run", id: run.id, run, text: "" }, { kind: "activity", id: run.id, run, text: "" });
  if (over.length > 0) lines.push({ kind: "blank", text: "" }, { kind: "heading", text: "recent" });
  for (const run of over) lines.push({ kind: "run", id: run.id, run, text: "" });
  return lines;
}

export function listedIds({ runs }: Pick<WatchState, "runs">): readonly string[] {
  const { live, over } = inOrder(runs);
  return [...live, ...over].map(({ id }) => id);
}

export function listHead({ columns, isReady }: WatchState): readonly string[] {
  const room = roomOf(columns);
  const title = clip(isReady ? "harness watch" : "harness watch  looking for runs …", room);
  const heads = shownColumns(room).map(({ title: head, width, right }) => (right ? head.padStart(width) : head.padEnd(width)));
  const task = taskRoom(room) < LEAST_TASK ? "" : "  task";
  return [colors.bold(title), colors.dim(clip(`${" ".repeat(MARGIN)}${heads.join(" ")}${task}`, room))];
}

export function listBody(state: WatchState): readonly string[] {
  const { body, status } = layoutOf(state.rows);
  return listLines(state)
    .slice(state.top, state.top + body + status)
    .map((line) => highlighted(lineText(line, state), state.query));
}

function lineText({ kind, text, run }: ListLine, { columns, now, selected }: WatchState): string {
  const room = roomOf(columns);
  if (run === undefined) return kind === "heading" ? colors.bold(clip(text, room)) : "";
  const mark = run.id === selected ? colors.cyan("▌") : " ";
  if (kind === "activity") return `${mark}   ${colors.dim(clip(activityOf(run, now), Math.max(1, room - MARGIN)))}`;
  const cells = shownColumns(room).map(({ width, of, right }) => cell(of(run, now), width, right));
  const facts = clip(cells.join(" "), Math.max(1, room - MARGIN));
  const task = taskRoom(room) < LEAST_TASK ? "" : clip([run.name, run.prompt].filter(Boolean).join(" · "), taskRoom(room));
  const line = `${run.id === selected ? colors.bold(facts) : facts}${task === "" ? "" : `  ${colors.dim(task)}`}`;
  return `${mark} ${iconOf(run.status)} ${line}`;
}

function shownColumns(room: number): readonly Column[] {
  const shown = COLUMNS.filter(({ from }) => from !== undefined && room + 1 >= from);
  for (const column of COLUMNS.filter(({ from }) => from === undefined)) if (leftBy([...shown, column], room) >= TASK) shown.push(column);
  return shown;
}

function taskRoom(room: number): number {
  return leftBy(shownColumns(room), room);
}

function leftBy(columns: readonly Column[], room: number): number {
  return room - MARGIN - columns.reduce((sum, { width }) => sum + width + 1, 0) - 1;
}

function cell(text: string, width: number, right: true | undefined): string {
  const shown = clip(text, width);
  const blank = " ".repeat(Math.max(0, width - columnsOf(shown)));
  return right ? `${blank}${shown}` : `${shown}${blank}`;
}

function activityOf({ activity, lastAt, prompt }: WatchedRun, now: number): string {
  const ago = lastAt === null ? "" : sinceThen(now - Date.parse(lastAt));
  return `${activity ?? prompt ?? "starting"}${ago}`;
}

/** A short silence is not worth mentioning. */
function sinceThen(ms: number): string {
  return ms < 5000 ? "" : `  (${duration(ms, 0)} ago)`;
}

export function timeOf(run: WatchedRun, now: number): string {
  if (isLive(run)) return run.startedAt === null ? "" : duration(now - run.startedAt, 0);
  return run.durationMs === null ? "" : duration(run.durationMs);
}

export function iconOf(status: string | null): string {
  if (status === "running") return colors.cyan("●");
  if (status === "completed") return colors.green("✓");
  if (status === null || status === "unfinished" || status === "damaged") return colors.yellow("–");
  return status === "blocked" || status === "canceled" ? colors.yellow("■") : colors.red("✗");
}
