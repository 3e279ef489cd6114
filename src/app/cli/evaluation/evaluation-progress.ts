import { existsSync } from "node:fs";
import { counted, dollars, duration, type JsonObject, printable, type Table, textTable, whole } from "../../../pure/base/index.ts";
import { atLeast } from "../../../pure/events/index.ts";
import {
  classesIn,
  classWords,
  countedIn,
  emptyTally,
  type OutOfTime,
  passRateOf,
  rateText,
  trialClasses,
} from "../../../pure/verdicts/index.ts";
import { classOf, type Progress, type Totals, totals } from "../../../work/evaluate/index.ts";
import { say, sequence, writeAside } from "../../terminal/index.ts";
import { type Count, laneLines } from "./lane-lines.ts";

export interface EvaluationProgress {
  readonly show: (progress: Progress) => void;
  readonly lanes: () => ReadonlyMap<string, Count>;
  /** Draws the last table: of the whole results file, or of this call if the results went elsewhere. */
  readonly end: (how: string, file: string | undefined, unfinished?: readonly JsonObject[]) => void;
}

const REDRAW_MS = 100;
/** The clocks move even if nothing else happens. */
const TICK_MS = 1000;

/** Shows progress on stderr: a moving line per agent in a terminal, else a line per finished trial with `--progress`. */
export function evaluationProgress(isWanted: boolean, late?: OutOfTime): EvaluationProgress {
  const isLive = process.stderr.isTTY === true && process.env["TERM"] !== "dumb";
  const lanes = new Map<string, Count>();
  const begun = performance.now();
  let total: number | undefined;
  let drawn = 0;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let waiting: NodeJS.Timeout | undefined;
  let ticking: NodeJS.Timeout | undefined;

  function laneOf(agent: string): Count {
    const lane: Count = lanes.get(agent) ?? { running: 0, finished: 0, classes: emptyTally(), costUsd: null, isPartial: false };
    lanes.set(agent, lane);
    return lane;
  }

  function count(progress: Extract<Progress, { agent: string }>): void {
    const lane = laneOf(progress.agent);
    if (progress.type === "started") lane.running++;
    if (progress.type !== "finished") return;
    const { gradeError, partialCost, errors, reason } = progress.result;
    const { class: kind, startProblem } = classOf(progress.result);
    const cost = partialCost?.costUsd ?? progress.result.cost;
    lane.running--;
    lane.finished++;
    lane.classes[kind]++;
    if (startProblem !== undefined) lane.start ??= { problem: startProblem, message: errors?.at(-1) ?? null };
    if (reason === "evidence-lost")
      lane.destroyed = { message: lane.destroyed?.message ?? errors?.[0] ?? null, times: (lane.destroyed?.times ?? 0) + 1 };
    if (kind === "lost_to_us") lane.lost ??= { message: errors?.at(-1) ?? null };
    if (gradeError !== undefined) lane.grader = { message: lane.grader?.message ?? gradeError, times: (lane.grader?.times ?? 0) + 1 };
    if (cost !== null) lane.costUsd = (lane.costUsd ?? 0) + cost;
    lane.isPartial ||= partialCost !== undefined;
  }

  function draw(): void {
    const width = process.stderr.columns || 80;
    const each = total === undefined ? undefined : total / Math.max(1, lanes.size);
    const elapsed = performance.now() - begun;
    const lines = laneLines(lanes, each, elapsed, width);
    writeAside(`${drawn > 0 ? sequence(`[${drawn}A`) : ""}${lines.map((line) => `${sequence("[2K")}${line}\n`).join("")}`);
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
      if (progress.type === "reopened")
        return say(`continued ${counted(progress.lines, "case")} of the file; the lines without the new trials are in ${progress.path}`);
      if (progress.type === "restored")
        return say(`an agent changed the copy of the ${progress.workspace || "empty"} workspace for later trials; it was read again`);
      if (progress.type === "graded-again")
        return say(`graded ${counted(progress.trials, "trial")} again that had no grade; still without one: ${whole(progress.failed)}`);
      if (progress.type === "unbound")
        return say(`an earlier version of harness began ${progress.path}: its runs do not name the evaluation they belong to`);
      if (progress.type === "unchecked")
        return say(`not checked again, because this call has other cases or agents: ${counted(progress.lines, "result")}`);
      if (progress.type === "corrected")
        return say(`${counted(progress.lines, "result")} did not say what the recorded runs show, and were corrected`);
      if (progress.type === "unread")
        return say(
          `${progress.name} has fields that are not read: ${progress.fields.join(", ")}. Put them into "metadata", or remove them`,
        );
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
    lanes: () => lanes,
    end(how, file, unfinished) {
      clearTimeout(waiting);
      clearInterval(ticking);
      if (lanes.size === 0) return; // it never started
      if (isLive) draw();
      if (isLive || isWanted)
        writeAside(
          printable(
            `\n${textTable(tableOf(lanes, `${how} ${duration(performance.now() - begun)}`, file, unfinished, late), process.stderr.columns || undefined)}`,
          ),
        );
    },
  };
}

function tableOf(
  lanes: ReadonlyMap<string, Count>,
  title: string,
  file: string | undefined,
  unfinished: readonly JsonObject[] | undefined,
  late: OutOfTime | undefined,
): Table {
  const rows = file === undefined || !existsSync(file) ? rowsOf(lanes) : totals(file, unfinished);
  const shown = classesIn(rows.map(({ classes }) => classes));
  return {
    title,
    head: ["agent", "trials", ...shown.map((each) => classWords[each]), "pass rate", "cost"],
    rows: rows.map(({ label, classes, costUsd, partialCost }) => [
      label,
      whole(trialClasses.reduce((sum, each) => sum + classes[each], 0)),
      ...shown.map((each) => whole(classes[each])),
      rateText(passRateOf(classes, late), countedIn(classes, late)),
      atLeast(dollars(costUsd), partialCost === true),
    ]),
  };
}

function rowsOf(lanes: ReadonlyMap<string, Count>): readonly Totals[] {
  return [...lanes].map(([label, { classes, costUsd, isPartial }]) => ({
    label,
    classes,
    costUsd,
    ...(isPartial && { partialCost: true }),
  }));
}

function resultLine({ agent, id, trialNum, result }: Extract<Progress, { type: "finished" }>): string {
  const { class: kind } = classOf(result);
  const isAsked = kind !== "ungraded" || result.gradeError !== undefined;
  return `${agent} ${JSON.stringify(id)} trial ${trialNum}: ${result.status ?? "not run"}${isAsked ? `, ${classWords[kind]}` : ""}`;
}
