/** A terminal with mode 2026 shows everything in between as one frame; others ignore it. */
const BEGIN = "\x1b[?2026h";
const END = "\x1b[?2026l";

/**
 * The text that turns one frame into the next of the same size. Only changed lines are written, over the old ones, so that nothing
 * flickers. Without a previous frame all lines are written. A line must not reach the last column: the cursor would stay on the last
 * character, and erasing the rest of the row would remove it.
 */
export function paintFrame(before: readonly string[] | undefined, after: readonly string[]): string {
  let text = "";
  for (const [i, line] of after.entries()) {
    if (line !== before?.[i]) text += `\x1b[${i + 1};1H${line}\x1b[0m\x1b[K`;
  }
  return text === "" ? "" : `${BEGIN}${text}${END}`;
}
