import { printable } from "../printable.ts";

/** Takes two columns in a terminal: East Asian wide characters and emoji. */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}|[\u{20000}-\u{3FFFD}]/u;
/** Takes none: it sits on the character before it. */
const NARROW = /\p{M}/u;

/** How many columns a line of printable text takes. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOfOne(character);
  return columns;
}

/** Any text as one printable line of at most that many columns. */
export function clip(text: string, room: number): string {
  // No column is wider than its text is long, so there is no need to look at all of a huge one.
  const line = printable(text.slice(0, 4 * room))
    .replace(/\s*\n\s*/g, " ⏎ ")
    .replaceAll("\t", " ");
  if (text.length <= 4 * room && columnsOf(line) <= room) return line;
  let columns = 1; // the ellipsis
  let kept = "";
  for (const character of line) {
    columns += columnsOfOne(character);
    if (columns > room) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Any text as printable lines of at most that many columns, broken between words where that is possible. */
export function wrap(text: string, room: number): string[] {
  const lines: string[] = [];
  for (const line of printable(text).trimEnd().replaceAll("\t", "    ").split("\n")) wrapLine(lines, line, room);
  return lines;
}

function wrapLine(lines: string[], line: string, room: number): void {
  let current = "";
  let columns = 0;
  for (const word of line.match(/\s+|\S+/gu) ?? []) {
    const width = columnsOf(word);
    if (columns + width <= room) {
      current += word;
      columns += width;
      continue;
    }
    if (columns > 0) lines.push(current.trimEnd());
    const [full, rest] = word.trim() === "" ? [[], ""] : broken(word, room);
    for (const piece of full) lines.push(piece);
    current = rest;
    columns = columnsOf(rest);
  }
  lines.push(current.trimEnd());
}

/** A word that may be longer than a line: its full lines, and what is left. */
function broken(word: string, room: number): [full: string[], rest: string] {
  const full: string[] = [];
  let rest = "";
  let columns = 0;
  for (const character of word) {
    const width = columnsOfOne(character);
    if (columns + width > room) {
      full.push(rest);
      rest = "";
      columns = 0;
    }
    rest += character;
    columns += width;
  }
  return [full, rest];
}

function columnsOfOne(character: string): number {
  if (character <= "~") return 1;
  return WIDE.test(character) ? 2 : NARROW.test(character) ? 0 : 1;
}
