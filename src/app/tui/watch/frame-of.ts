import { clip, clipStart } from "../../../pure/base/index.ts";
import { colors, fitted, sequence } from "../../terminal/index.ts";
import { layoutOf, roomOf } from "./layout.ts";
import { listBody, listHead } from "./list-frame.ts";
import { runBody, runHead, runStatus } from "./run-frame.ts";
import type { WatchState } from "./watch-state.ts";

const KEYS: readonly (readonly [string, string])[] = [
  ["j k ↓ ↑", "next, previous"],
  ["PgDn PgUp", "a screen down, up"],
  ["Home End", "first, last (g G)"],
  ["Enter", "open a run; open or close a step"],
  ["Space", "the same"],
  ["e", "open or close all steps"],
  ["f", "follow new steps, or stop following"],
  ["/", "search; n next, N previous"],
  ["q Esc", "back; from the list: leave"],
  ["Ctrl-L", "draw everything again"],
  ["?", "show or hide this help"],
];

/** The screen: as many lines as it has rows, each narrower than the screen. */
export function frameOf(state: WatchState): readonly string[] {
  const { rows, columns, run } = state;
  const { header, body, status, footer } = layoutOf(rows);
  const room = roomOf(columns);
  const head = run === undefined ? listHead(state) : runHead(state, run);
  const middle = state.showsHelp ? helpBody(body + status) : run === undefined ? listBody(state) : runBody(state, run);
  const lines = [...head.slice(0, header), ...middle];
  while (lines.length < header + body + status) lines.push("");
  lines.length = header + body + status;
  if (run !== undefined && status > 0 && !state.showsHelp) lines[lines.length - 1] = runStatus(state, run);
  if (footer > 0) lines.push(footerOf(state));
  return lines.slice(0, rows).map((line) => fitted(line, room));
}

function footerOf({ typing, note, run, columns, showsHelp }: WatchState): string {
  const room = roomOf(columns);
  if (typing !== undefined) return `${colors.bold("/")}${clipStart(typing, Math.max(1, room - 2))}${sequence("[7m")} ${sequence("[27m")}`;
  if (note !== "") return colors.yellow(clip(note, room));
  const follow = run?.follows ? "f stop following" : "f follow";
  const help = showsHelp
    ? "? or q back"
    : run === undefined
      ? "q quit  Enter open  / search  ? help"
      : `q back  Enter expand  / search  ${follow}  ? help`;
  return colors.dim(clip(help, room));
}

function helpBody(rows: number): readonly string[] {
  const lines = KEYS.map(([keys, meaning]) => `  ${colors.cyan(keys.padEnd(10))} ${meaning}`);
  return rows > lines.length ? ["", ...lines] : lines;
}
