import { columnsOf, dollars, duration, printable } from "../../../pure/base/index.ts";
import { atLeast } from "../../../pure/events/index.ts";
import { classesIn, classWords, isCounted, type StartProblem, type Tally } from "../../../pure/verdicts/index.ts";
import { colors, fitted, plainOf } from "../../terminal/index.ts";

export interface Count {
  running: number;
  finished: number;
  readonly classes: Tally;
  costUsd: number | null;
  /** Some runs report only a part of their cost. */
  isPartial: boolean;
  /** The first trouble of each kind. */
  start?: { readonly problem: StartProblem; readonly message: string | null };
  destroyed?: { readonly message: string | null; times: number };
  lost?: { readonly message: string | null };
  grader?: { readonly message: string; times: number };
}

const BAR = { longest: 24, shortest: 6 };
const LONGEST_NAME = 16;

/** A line per agent: counts, time left and cost; and a bar if the total is known and there is room. */
export function laneLines(lanes: ReadonlyMap<string, Count>, total: number | undefined, elapsedMs: number, width: number): string[] {
  const names = [...lanes.keys()].map((agent) => printable(agent));
  const column = Math.min(LONGEST_NAME, Math.max(0, ...names.map((name) => name.length)));
  const parts = [...lanes.values()].map((lane) => partsOf(lane, total, elapsedMs));
  const longest = Math.max(0, ...parts.map((part) => columnsOf(plainOf(part))));
  const room = Math.min(BAR.longest, width - 5 - column - longest);
  return [...lanes.values()].map(({ finished }, index) => {
    const name = names[index] ?? "";
    const start = name.length > column ? `${name.slice(0, column - 1)}…` : name.padEnd(column);
    const share = shareOf(finished, total);
    const bar = share === undefined || room < BAR.shortest ? "" : `${"█".repeat(Math.round(share * room)).padEnd(room, "░")}  `;
    return fitted(`${start}  ${bar}${parts[index]}`, width - 1); // a wrapped line cannot be redrawn
  });
}

function partsOf({ running, finished, classes, costUsd, isPartial }: Count, total: number | undefined, elapsedMs: number): string {
  const others = classesIn([classes]).filter((each) => each !== "passed" && each !== "failed");
  const share = shareOf(finished, total);
  const left = share === undefined || share === 0 || share === 1 ? undefined : (elapsedMs / share) * (1 - share);
  return [
    `${finished}${total === undefined ? "" : `/${total}`}`,
    ...(share === 1 ? [] : [`${running} running`]),
    colors.green(`${classes.passed} passed`),
    colors.red(`${classes.failed} failed`),
    ...others.map((each) => (isCounted(each) ? colors.red : colors.yellow)(`${classes[each]} ${classWords[each]}`)),
    ...(left === undefined ? [] : [`${duration(left, 0)} left`]),
    ...(costUsd === null ? [] : [atLeast(dollars(costUsd), isPartial)]),
  ].join("  ");
}

function shareOf(finished: number, total: number | undefined): number | undefined {
  return total === undefined || total === 0 ? undefined : Math.min(1, finished / total);
}
