import { columnsOf } from "../../../pure/base/index.ts";

/** A mark and a blank stand before everything that is told. */
export const GUTTER = 2;

/** Rows behind the gutter, the mark before the first of them. */
export function marked(mark: string, rows: readonly string[]): string[] {
  return rows.map((row, i) => (i === 0 ? `${mark} ${row}` : row === "" ? "" : `  ${row}`));
}

/** What matters less, after the text of a row; ours, and safe. */
export interface Note {
  readonly text: string;
  readonly paint: (text: string) => string;
}

/** Notes as they stand behind a text, and the columns they take. */
export function noted(notes: readonly Note[]): { text: string; columns: number } {
  const text = notes.map((note) => `  ${note.paint(note.text)}`).join("");
  return { text, columns: notes.reduce((sum, note) => sum + 2 + columnsOf(note.text), 0) };
}
