import { sequence } from "../../terminal/index.ts";

/** A terminal with mode 2026 shows everything in between as one frame; others ignore it. */
const BEGIN = sequence("[?2026h");
const END = sequence("[?2026l");
const ERASE = `${sequence("[0m")}${sequence("[K")}`;

/**
 * The text that turns one frame into the next of the same size. Only changed lines are written, over the old ones, so that nothing
 * flickers. Without a previous frame all lines are written. A line must not reach the last column: the cursor would stay on the last
 * character, and erasing the rest of the row would remove it.
 */
export function paintFrame(before: readonly string[] | undefined, after: readonly string[]): string {
  let text = "";
  for (const [i, line] of after.entries()) {
    if (line !== before?.[i]) text += `${sequence(`[${i + 1};1H`)}${line}${ERASE}`;
  }
  return text === "" ? "" : `${BEGIN}${text}${END}`;
}
