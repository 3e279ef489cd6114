/** The terminal shows what lies between these two at once, if it knows them (mode 2026); others ignore them. */
const BEGIN = "\x1b[?2026h";
const END = "\x1b[?2026l";

/**
 * What turns one frame into the next on a screen of the same size: only lines that changed are written, each in its place and
 * over what was there, so that nothing is blank in between. Without a frame before, all are written. No line may fill its row
 * to the last column, where the cursor stays on the last character and erasing the rest would take it away.
 */
export function paintFrame(before: readonly string[] | undefined, after: readonly string[]): string {
  let text = "";
  for (const [i, line] of after.entries()) {
    if (line !== before?.[i]) text += `\x1b[${i + 1};1H${line}\x1b[0m\x1b[K`;
  }
  return text === "" ? "" : `${BEGIN}${text}${END}`;
}
