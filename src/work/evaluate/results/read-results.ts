import {
  anyObject,
  either,
  flag,
  flawOf,
  HarnessError,
  isObject,
  type JsonObject,
  list,
  nullable,
  number as numeric,
  object,
  optional,
  parseObject,
  text as textual,
} from "../../../pure/base/index.ts";
import { readLines } from "../cases/index.ts";

/** A line of `capture` or `trials` with its position. */
export interface ReadLine {
  readonly line: JsonObject & { readonly id: string };
  readonly number: number;
  /** Its byte offset in the file; `length` excludes the newline. */
  readonly offset: number;
  readonly length: number;
}

/** The lines of a results file, one at a time. Skips a last line that is incomplete. */
export function* readResults(path: string): Generator<ReadLine> {
  let number = 0;
  for (const { text, terminated, oversize, offset, length } of readLines(path)) {
    number++;
    if (text.trim() === "") continue;
    const line = oversize ? undefined : parseObject(text);
    if (line !== undefined && isCase(line))
      throw new HarnessError("input", `${path}:${number}: a case of a data set, not a line of capture or trials.`);
    if (line !== undefined && typeof line["id"] === "string") {
      checkFields(line, `${path}:${number}`);
      yield { line: line as ReadLine["line"], number, offset, length };
    } else if (terminated) {
      const what = oversize ? `the line has ${length} bytes, too long to read` : "not a line of capture or trials";
      throw new HarnessError("input", `${path}:${number}: ${what}.`);
    }
  }
}

/** Everything that decides how a trial is shown or counted. Lines of other tools and of earlier versions may lack any of it. */
const fields = {
  output: optional(textual),
  trajectory: optional(list(anyObject)),
  pass: optional(flag),
  toolErrors: optional(flag),
  gradeError: optional(textual),
  status: optional(nullable(textual)),
  reason: optional(nullable(textual)),
  runs: optional(list(textual)),
  errors: optional(list(textual)),
  duration: optional(numeric),
  timing: optional(anyObject),
  usage: optional(nullable(anyObject)),
  cost: optional(nullable(numeric)),
  judging: optional(anyObject),
};
const resultLine = object({
  ...fields,
  score: optional(nullable(either(numeric, object({ pass: flag })))),
  trials: optional(list(object({ ...fields, trialNum: optional(numeric), score: optional(nullable(numeric)) }))),
  metadata: optional(anyObject),
  statistics: optional(anyObject),
  k: optional(numeric),
  passRate: optional(nullable(numeric)),
});

/** Throws and names the field if a trial would be dropped or counted as something else. */
export function checkFields(line: JsonObject, place: string): void {
  const flaw = flawOf(resultLine, line);
  if (flaw === undefined) return;
  throw new HarnessError("input", `${place}: the value of ${flaw.join(".")} is not valid in a result. Correct the line.`);
}

/** A case that has not run. Read as a result, it would be graded as a failure, or compared without a single grade. */
function isCase(line: JsonObject): boolean {
  return typeof line["id"] === "string" && Object.hasOwn(line, "input") && !RESULT_FIELDS.some((field) => Object.hasOwn(line, field));
}

const RESULT_FIELDS = ["output", "trajectory", "trials", "score", "pass", "status"];

/** The trials in a line: those of `trials`, or the single one of `capture`. */
export function trialsIn(line: JsonObject): readonly JsonObject[] {
  const { trials } = line;
  return Array.isArray(trials) ? trials.filter(isObject) : [line];
}
