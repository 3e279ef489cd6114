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
    if (line !== undefined && typeof line["id"] === "string") yield { line: line as ReadLine["line"], number, offset, length };
    else if (terminated) {
      const what = oversize ? `the line has ${length} bytes, too long to read` : "not a line of capture or trials";
      throw new HarnessError("input", `${path}:${number}: ${what}.`);
    }
  }
}

/** The trials in a line: those of `trials`, or the single one of `capture`. */
export function trialsIn(line: JsonObject): readonly JsonObject[] {
  const { trials } = line;
  return Array.isArray(trials) ? trials.filter(isObject) : [line];
}
