import { columnsOf } from "../../pure/base/index.ts";
import { SGR, sequence } from "./sequences.ts";

const COLORS = new RegExp(SGR, "g");
const TOKENS = new RegExp(`(${SGR})|[\\s\\S]`, "gu");

export function plainOf(row: string): string {
  return row.replace(COLORS, "");
}

/** Cuts a row to `room` columns and keeps its escape sequences, so that colors end. */
export function fitted(row: string, room: number): string {
  if (columnsOf(plainOf(row)) <= room) return row;
  let kept = "";
  let columns = 0;
  for (const [token, color] of row.matchAll(TOKENS)) {
    if (color !== undefined) {
      kept += token;
      continue;
    }
    columns += columnsOf(token);
    if (columns <= room) kept += token;
  }
  return kept;
}

/** Shows every match of `query` in reverse video, ignoring case. */
export function highlighted(row: string, query: string): string {
  const plain = plainOf(row);
  const places = query === "" ? [] : placesOf(plain.toLowerCase(), query.toLowerCase());
  if (places.length === 0 || plain.toLowerCase().length !== plain.length) return row; // a letter that becomes two would shift the places
  let shown = "";
  let at = 0;
  for (const [token, color] of row.matchAll(TOKENS)) {
    if (color !== undefined) {
      shown += token;
      continue;
    }
    if (places.includes(at)) shown += sequence("[7m");
    shown += token;
    at += token.length;
    if (places.some((place) => place + query.length === at)) shown += sequence("[27m");
  }
  return shown;
}

function placesOf(text: string, query: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + query.length)) places.push(at);
  return places;
}
