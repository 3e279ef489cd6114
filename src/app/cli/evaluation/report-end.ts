import { clipped, dollars } from "../../../pure/base/index.ts";
import { startAdvice } from "../../../pure/verdicts/index.ts";
import type { Evaluation } from "../../../work/evaluate/index.ts";
import { FAILED, say, setExitCode } from "../../terminal/index.ts";
import type { Count } from "./lane-lines.ts";

const LONGEST = 300;

/** Says what kept an evaluation from being complete, and what to do about it. Exit code 1 if something did. */
export function reportEnd(
  { stopped, stuck = [], costUsd }: Omit<Evaluation<unknown>, "results">,
  lanes: ReadonlyMap<string, Count>,
  output: string | undefined,
): void {
  const resume = output === undefined ? "" : ". Continue with the same command and --append";
  if (stopped === "canceled") say(`interrupted after ${finishedIn(lanes)}${resume}`);
  if (stopped === "cost") fail(`stopped at --max-cost: agents and judges have reported ${dollars(costUsd)}${resume}`);
  for (const [agent, { classes, finished, start, destroyed, lost, grader }] of lanes) {
    if (destroyed !== undefined)
      say(
        `${agent}: ${destroyed.times} of ${finished} trials destroyed their evidence, so they count as failed${quoted(destroyed.message)}`,
      );
    if (lost !== undefined) {
      const text = `${agent}: ${classes.lost_to_us} of ${finished} trials were lost to us and do not count${quoted(lost.message)}`;
      if (classes.lost_to_us === finished) fail(text);
      else say(text);
    }
    if (start !== undefined) {
      const { what, remedy } = startAdvice[start.problem];
      const isStuck = stuck.some((each) => each.agent === agent);
      const count = `${classes.not_started} of ${finished} trials never reached a model`;
      const end = isStuck ? `, so ${agent} got no more` : "";
      fail(
        `${agent}: ${count}${end}: ${what}${quoted(start.message)}. ${remedy}${output === undefined ? "" : " Then continue with --append"}`,
      );
    }
    if (grader === undefined) continue;
    const text = `${agent}: the grader broke in ${grader.times} of ${finished} trials, which have no grade${quoted(grader.message)}. Correct it, then use harness grade`;
    if (classes.ungraded === finished) fail(text);
    else say(text);
  }
}

function fail(text: string): void {
  say(text);
  setExitCode(FAILED);
}

function finishedIn(lanes: ReadonlyMap<string, Count>): string {
  const finished = [...lanes.values()].reduce((sum, lane) => sum + lane.finished, 0);
  return `${finished} finished ${finished === 1 ? "trial" : "trials"}`;
}

function quoted(message: string | null): string {
  return message === null ? "" : ` (${clipped(message.replace(/\s+/g, " ").trim(), LONGEST)})`;
}
