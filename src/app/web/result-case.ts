import { arrayOf, clipped, isObject, type JsonObject, numberOf, objectOf, parseObject, spelled, stringOf } from "../../pure/base/index.ts";
import type { Tokens } from "../../pure/events/index.ts";
import type { ResultCase, ResultRun, ResultTrial } from "../../pure/timeline/index.ts";
import { classOf, durationOf, gradeIn, readStretch, spentIn, trialsIn } from "../../work/evaluate/index.ts";
import type { LinePlace } from "./result-index.ts";

/** Limits for one case, and for one text in it. */
const MOST_LINES = 64;
const MOST_TRIALS = 400;
const TEXT_CAP = 12 * 1024;

/** One case with its trials. `isThere` says which runs can be opened. */
export function resultCase(
  { key, id, lines }: { readonly key: string; readonly id: string; readonly lines: readonly LinePlace[] },
  labels: readonly string[],
  isThere: (run: string) => boolean,
): ResultCase {
  const sides = labels.map((label) => ({ label, trials: [] as ResultTrial[] }));
  let first: JsonObject | undefined;
  let shown = 0;
  let left = Math.max(0, lines.length - MOST_LINES);
  for (const { path, offset, length, side } of lines.slice(0, MOST_LINES)) {
    const line = parseObject(readStretch(path, offset, length));
    if (line === undefined) continue; // the file has changed since; the next request reads it again
    first ??= line;
    for (const trial of trialsIn(line)) {
      if (shown++ < MOST_TRIALS) sides[side]?.trials.push(trialOf(trial, (sides[side]?.trials.length ?? 0) + 1, isThere));
      else left++;
    }
  }
  const expected = first?.["expected"];
  return {
    key,
    id: clipped(id, TEXT_CAP),
    input: clipped(inputOf(first?.["input"]), TEXT_CAP),
    expected: typeof expected === "string" ? clipped(expected, TEXT_CAP) : null,
    sides: sides.filter(({ trials }) => trials.length > 0),
    left,
  };
}

function trialOf(trial: JsonObject, number: number, isThere: (run: string) => boolean): ResultTrial {
  const { class: kind, startProblem = null } = classOf(trial);
  const uncounted = objectOf(trial["uncountedGrade"]);
  const grade = uncounted ?? gradeIn(trial);
  const spent = spentIn(trial);
  const text = (value: unknown) => (typeof value === "string" ? clipped(value, TEXT_CAP) : null);
  const runsOf = (ids: unknown): ResultRun[] =>
    (arrayOf(ids) ?? [])
      .flatMap((run) => stringOf(run) ?? [])
      .slice(0, 50)
      .map((run) => ({ id: clipped(run, 200), isThere: isThere(run) }));
  return {
    number: numberOf(trial["trialNum"]) ?? number,
    class: kind,
    startProblem,
    ...(uncounted && { isUncounted: true }),
    score: numberOf(grade["score"]) ?? null,
    reasoning: text(grade["reasoning"]),
    problem: text(trial["gradeError"] ?? unverifiedIn(trial) ?? (startProblem === null ? undefined : arrayOf(trial["errors"])?.at(-1))),
    status: text(trial["status"]),
    output: text(trial["output"]) ?? "",
    durationMs: durationOf(trial) ?? null,
    costUsd: spent.cost ?? null,
    usage: (spent.usage as unknown as Tokens | undefined) ?? null,
    ...(spent.isPartial && { isPartial: true }),
    ...(spent.isCostPartial && { isCostPartial: true }),
    toolErrors: trial["toolErrors"] === true,
    runs: runsOf(trial["runs"]),
    lost: (arrayOf(trial["lost"]) ?? []).filter(isObject).flatMap(({ runs }) => runsOf(runs)),
  };
}

/** Why the grade does not count: it is one of what the line says. */
function unverifiedIn(trial: JsonObject): string | undefined {
  const why = stringOf(trial["unverified"]);
  return why === undefined ? undefined : `not verified: ${why}`;
}

function inputOf(input: unknown): string {
  return Array.isArray(input) ? input.map(spelled).join("\n\n") : (stringOf(input) ?? "");
}
