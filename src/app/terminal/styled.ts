import { columnsOf } from "../../pure/base/index.ts";

/** Our own colors: the only escape sequences that rows of ours hold. */
const SGR = /\x1b\[[\d;]*m/g;
const TOKENS = /\x1b\[[\d;]*m|[\s\S]/gu;

/** A row without its colors. */
export function plainOf(row: string): string {
  return row.replace(SGR, "");
}

/** A row of ours in at most so many columns; colors that were begun are ended. */
export function fitted(row: string, room: number): string {
  if (columnsOf(plainOf(row)) <= room) return row;
  let kept = "";
  let columns = 0;
  for (const [token] of row.matchAll(TOKENS)) {
    if (token.startsWith("\x1b")) {
      kept += token;
      continue;
    }
    columns += columnsOf(token);
    if (columns <= room) kept += token;
  }
  return kept;
}

/** The row with every place that holds these words, in whatever case, in reverse video. */
export function highlighted(row: string, words: string): string {
  const plain = plainOf(row);
  const places = words === "" ? [] : placesOf(plain.toLowerCase(), words.toLowerCase());
  if (places.length === 0 || plain.toLowerCase().length !== plain.length) return row; // a letter that grows would shift the places
  let shown = "";
  let at = 0;
  for (const [token] of row.matchAll(TOKENS)) {
    if (token.startsWith("\x1b")) {
      shown += token;
      continue;
    }
    if (places.includes(at)) shown += "\x1b[7m";
    shown += token;
    at += token.length;
    if (places.some((place) => place + words.length === at)) shown += "\x1b[27m";
  }
  return shown;
}

function placesOf(text: string, words: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) places.push(at);
  return places;
}
