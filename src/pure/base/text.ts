import { printable } from "./printable.ts";

/** Two columns in a terminal: East Asian wide characters, hexagrams, emoji. */
const WIDE =
  /[\u1100-\u115F\u2329\u232A\u2630-\u2637\u268A-\u268F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE10-\uFE19\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}/u;
const WIDE_TOO = /[\u{16FE0}-\u{18FFF}\u{1AFF0}-\u{1B2FF}\u{1D300}-\u{1D376}\u{1F200}-\u{1F2FF}\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;
/** No column: sits on the character before it. Spacing marks may take a column and are counted, so that no line grows too long. */
const NARROW = /(?!\uFE0F)[\p{Mn}\p{Me}]/u; // U+FE0F makes some narrow characters wide

/** No script stacks this many marks. Such a stack paints over other lines without taking a column. */
const PILED_UP = /([\p{Mn}\p{Me}]{8})[\p{Mn}\p{Me}]+/gu;

/** The columns that a line of printable text takes. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOfOne(character);
  return columns;
}

/** Any text as one printable line of at most `room` columns. */
export function clip(text: string, room: number): string {
  // Reads only the beginning, so that a huge text costs no more than a line.
  const line = oneLine(text.slice(0, 4 * room));
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

/** The end of any text, as one printable line of at most `room` columns. */
export function clipStart(text: string, room: number): string {
  const line = oneLine(text.slice(-4 * room));
  if (text.length <= 4 * room && columnsOf(line) <= room) return line;
  const kept: string[] = [];
  let columns = 1; // the ellipsis
  for (const character of Array.from(line).reverse()) {
    columns += columnsOfOne(character);
    if (columns > room) break;
    kept.push(character);
  }
  return `…${kept.reverse().join("")}`;
}

/** Any text as printable lines of at most `room` columns, broken between words if possible. */
export function wrap(text: string, room: number): string[] {
  const lines: string[] = [];
  for (const line of harmless(text).trimEnd().replaceAll("\t", "    ").split("\n")) wrapLine(lines, line, room);
  return lines;
}

function harmless(text: string): string {
  return printable(text).replace(PILED_UP, "$1…");
}

export function notes(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join(" · ");
}

/** Without newlines, so that an agent's text cannot pass for a line of our output. */
export function oneLine(text: string): string {
  return harmless(text)
    .replace(/\s*\n\s*/g, " ⏎ ")
    .replaceAll("\t", " ");
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

/** Breaks a word that may be longer than a line into full lines and a rest. */
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
  if (WIDE.test(character) || WIDE_TOO.test(character)) return 2;
  return NARROW.test(character) ? 0 : 1;
}
