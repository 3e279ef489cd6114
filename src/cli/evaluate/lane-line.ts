import colors from "picocolors";
import { printable } from "../printable.ts";

/** How far one agent is. */
export interface Count {
  running: number;
  finished: number;
  passed: number;
  failed: number;
  errors: number;
  lost: number;
  costUsd: number | null;
}

const BAR = 20;

/** One line: a bar where the end is known, what runs and how it went, how long it will take, what it has cost. */
export function laneLine(agent: string, lane: Count, total: number | undefined, elapsedMs: number, width: number): string {
  const { running, finished, passed, failed, errors, lost, costUsd } = lane;
  const share = total === undefined || total === 0 ? undefined : Math.min(1, finished / total);
  const left = share === undefined || share === 0 || share === 1 ? undefined : (elapsedMs / share) * (1 - share);
  const parts = [
    share === undefined ? "" : `${"█".repeat(Math.round(share * BAR)).padEnd(BAR, "░")}`,
    `${finished}${total === undefined ? "" : `/${total}`}`,
    `${running} running`,
    colors.green(`${passed} passed`),
    colors.red(`${failed} failed`),
    ...(errors > 0 ? [colors.yellow(`${errors} errors`)] : []),
    ...(lost > 0 ? [colors.yellow(`${lost} lost`)] : []),
    ...(left === undefined ? [] : [`${durationOf(left)} left`]),
    ...(costUsd === null ? [] : [`$${costUsd.toFixed(2)}`]),
  ];
  const name = printable(agent);
  const line = `${name.length > 16 ? `${name.slice(0, 15)}…` : name.padEnd(16)} ${parts.filter((part) => part !== "").join("  ")}`;
  return clipped(line, width);
}

/** Cut at the width of the terminal, colors not counted: a line that wraps could not be drawn over. */
function clipped(line: string, width: number): string {
  let shown = 0;
  let out = "";
  for (const piece of line.split(/(\u001B\[\d+m)/)) {
    if (piece.startsWith("\u001B")) out += piece;
    else {
      out += piece.slice(0, Math.max(0, width - 1 - shown));
      shown += piece.length;
    }
  }
  return out;
}

function durationOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 90 ? `${seconds} s` : seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
