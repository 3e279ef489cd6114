import { arrayOf, isObject, type JsonObject, objectOf } from "../../../pure/base/index.ts";
import { cell } from "./csv-report.ts";
import type { ShownTrial } from "./shown-trials.ts";

const FIELDS = [
  "case", "side", "trial", "class", "status", "reason", "startProblem", "pass", "score", "reasoning", "gradeError", "duration_ms",
  "durations.firstToken", "durations.waiting", "durations.working", "durations.grading", "usage.input", "usage.cacheRead", "usage.cacheWrite",
  "usage.output", "usage.reasoning", "partialUsage.tokens.input", "partialUsage.tokens.output", "cost", "partialCost.costUsd",
  "computedCost.costUsd", "computedCost.table", "behavior.calls", "behavior.failed", "behavior.retries", "behavior.files", "behavior.skills",
  "toolErrors", "version", "model", "answeredBy", "effort", "seed", "grader.graders", "grader.version", "isolation.level", "gradedIn",
  "machine.platform", "machine.arch", "machine.cores", "machine.memoryBytes", "machine.node", "judging.judge", "judging.cost", "lost", "runs",
  "evaluation", "configuration", "caseHash", "inputs.file", "inputs.all", "shard", "input", "expected", "output", "errors", "metadata",
] as const; // biome-ignore format: a table

/** One row per trial with every field except the transcript, for spreadsheets. What is unknown is empty. */
export function* csvTrials(trials: Iterable<ShownTrial>): Generator<string> {
  yield `${FIELDS.join(",")}\r\n`;
  for (const trial of trials) yield `${FIELDS.map((field) => cell(fieldOf(trial, field))).join(",")}\r\n`;
}

function fieldOf({ id, side, number, class: kind, durationMs, reasoning, line, trial }: ShownTrial, field: string): string | number {
  const grade = objectOf(trial["score"]) ?? trial;
  const own: Readonly<Record<string, unknown>> = {
    case: id,
    side,
    trial: number,
    class: kind,
    duration_ms: durationMs,
    reasoning,
    pass: grade["pass"],
    score: grade["score"],
  };
  const value = Object.hasOwn(own, field) ? own[field] : (at(trial, field) ?? at(line, field));
  if (value === undefined || value === null) return "";
  if (typeof value === "number" || typeof value === "string") return value;
  const list = arrayOf(value);
  return list?.every((each) => typeof each === "string") ? list.join("; ") : JSON.stringify(value);
}

function at(value: JsonObject, path: string): unknown {
  return path.split(".").reduce<unknown>((inner, name) => (isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined), value);
}
