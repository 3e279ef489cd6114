import { HarnessError, isObject, type JsonObject, parseObject } from "../../../pure/base/index.ts";
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
    if (line !== undefined && typeof line["id"] === "string") yield { line: line as ReadLine["line"], number, offset, length };
    else if (terminated) {
      const what = oversize ? `the line has ${length} bytes, too long to read` : "not a line of capture or trials";
      throw new HarnessError("input", `${path}:${number}: ${what}.`);
    }
  }
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
