import { columnsOf } from "../../../pure/base/index.ts";

/** Every row starts with a mark and a space. */
export const GUTTER = 2;

/** Indents rows and puts the mark before the first one. */
export function marked(mark: string, rows: readonly string[]): string[] {
  return rows.map((row, i) => (i === 0 ? `${mark} ${row}` : row === "" ? "" : `  ${row}`));
}

/** A short remark after the text of a row. It never comes from the agent. */
export interface Note {
  readonly text: string;
  readonly paint: (text: string) => string;
}

export function noted(notes: readonly Note[]): { text: string; columns: number } {
  const text = notes.map((note) => `  ${note.paint(note.text)}`).join("");
  return { text, columns: notes.reduce((sum, note) => sum + 2 + columnsOf(note.text), 0) };
}
