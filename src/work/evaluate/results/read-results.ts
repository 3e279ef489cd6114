import { HarnessError, isObject, type JsonObject, parseObject } from "../../../pure/base/index.ts";
import { readLines } from "../cases/index.ts";

/** A line of `capture` or `trials`, in its place. */
export interface ReadLine {
  readonly line: JsonObject & { readonly id: string };
  readonly number: number;
  /** Its bytes in the file, without the newline. */
  readonly offset: number;
  readonly length: number;
}

/** The lines of a results file, one at a time. A last line that is still being written, or was torn, is not there yet. */
export function* readResults(path: string): Generator<ReadLine> {
  let number = 0;
  for (const { text, terminated, oversize, offset, length } of readLines(path)) {
    number++;
    if (text.trim() === "") continue;
    const line = oversize ? undefined : parseObject(text);
    if (line !== undefined && typeof line["id"] === "string") yield { line: line as ReadLine["line"], number, offset, length };
    else if (terminated) {
      const what = oversize ? `the line has ${length} bytes, more than can be read` : "this is no line of capture or trials";
      throw new HarnessError("input", `${path}:${number}: ${what}.`);
    }
  }
}

/** The trials of a line: those of `trials`, or the one that `capture` is. */
export function trialsIn(line: JsonObject): readonly JsonObject[] {
  const { trials } = line;
  return Array.isArray(trials) ? trials.filter(isObject) : [line];
}
