import colors from "picocolors";
import { dollars, duration, percent, printable, type Table, textTable, whole } from "../../../pure/base/index.ts";
import { atLeast } from "../../../pure/events/index.ts";
import { isLost, type Progress } from "../../../work/evaluate/index.ts";
import { say } from "../../terminal/index.ts";
import { type Count, laneLines } from "./lane-lines.ts";

export interface EvaluationProgress {
  readonly show: (progress: Progress) => void;
  readonly end: () => void;
}

const REDRAW_MS = 100;
/** The clocks move even if nothing else happens. */
const TICK_MS = 1000;

/** Shows progress on stderr: a moving line per agent in a terminal, else a line per finished trial with `--progress`. */
export function evaluationProgress(isWanted: boolean): EvaluationProgress {
  const isLive = process.stderr.isTTY === true && process.env["TERM"] !== "dumb";
  const lanes = new Map<string, Count>();
  const begun = performance.now();
  let total: number | undefined;
  let drawn = 0;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let waiting: NodeJS.Timeout | undefined;
  let ticking: NodeJS.Timeout | undefined;

  function laneOf(agent: string): Count {
    const lane = lanes.get(agent) ?? { running: 0, finished: 0, passed: 0, failed: 0, errors: 0, lost: 0, costUsd: null, isPartial: false };
    lanes.set(agent, lane);
    return lane;
  }

  function count(progress: Exclude<Progress, { type: "planned" | "set-aside" }>): void {
    const lane = laneOf(progress.agent);
    if (progress.type === "started") lane.running++;
    if (progress.type !== "finished") return;
    const { score, gradeError, status, partialCost } = progress.result;
    const cost = partialCost?.costUsd ?? progress.result.cost;
    lane.running--;
    lane.finished++;
    if (score?.pass === true) lane.passed++;
    else if (score !== undefined) lane.failed++;
    else if (gradeError !== undefined) lane.errors++;
    else if (isLost(status)) lane.lost++;
    if (cost !== null) lane.costUsd = (lane.costUsd ?? 0) + cost;
    lane.isPartial ||= partialCost !== undefined;
  }

  function draw(): void {
    const width = process.stderr.columns ?? 80;
    const each = total === undefined ? undefined : total / Math.max(1, lanes.size);
    const elapsed = performance.now() - begun;
    const lines = laneLines(lanes, each, elapsed, width);
    process.stderr.write(`${drawn > 0 ? `\u001B[${drawn}A` : ""}${lines.map((line) => `\u001B[2K${line}\n`).join("")}`);
    drawn = lines.length;
    drawnAt = performance.now();
  }

  /** Draws now or soon; changes until then are drawn together. */
  function drawSoon(): void {
    if (!isLive || waiting !== undefined) return;
    waiting = setTimeout(
      () => {
        waiting = undefined;
        draw();
      },
      Math.max(0, REDRAW_MS - (performance.now() - drawnAt)),
    );
  }

  return {
    show(progress) {
      if (progress.type === "set-aside")
        return say(`an earlier call was killed in the middle of a line; the rest of it is in ${progress.path}`);
      if (progress.type === "planned") {
        total = progress.trials;
        for (const agent of progress.agents) laneOf(agent);
        ticking = isLive ? setInterval(drawSoon, TICK_MS) : undefined;
        return;
      }
      count(progress);
      drawSoon();
      if (!isLive && isWanted && progress.type === "finished") say(resultLine(progress));
    },
    end() {
      clearTimeout(waiting);
      clearInterval(ticking);
      if (lanes.size === 0) return; // it never started
      if (isLive) draw();
      if (isLive || isWanted)
        process.stderr.write(printable(`\n${textTable(tableOf(lanes, performance.now() - begun), process.stderr.columns)}`));
    },
  };
}

function tableOf(lanes: ReadonlyMap<string, Count>, elapsedMs: number): Table {
  return {
    title: `Finished in ${duration(elapsedMs)}`,
    head: ["agent", "runs", "passed", "failed", "pass rate", "grader errors", "lost", "cost"],
    rows: [...lanes].map(([agent, { finished, passed, failed, errors, lost, costUsd, isPartial }]) => [
      agent,
      whole(finished),
      whole(passed),
      whole(failed),
      percent(passed + failed === 0 ? null : passed / (passed + failed)),
      whole(errors),
      whole(lost),
      atLeast(dollars(costUsd), isPartial),
    ]),
  };
}

function resultLine({ agent, id, trialNum, result }: Extract<Progress, { type: "finished" }>): string {
  const { score, gradeError, status } = result;
  const verdict =
    score === undefined ? (gradeError === undefined ? "" : `, ${colors.yellow("grader error")}`) : score.pass ? ", passed" : ", failed";
  return `${agent} ${JSON.stringify(id)} trial ${trialNum}: ${status ?? "not run"}${verdict}`;
}
