/** How many rows each part of the screen has. */
export interface Layout {
  readonly header: number;
  readonly body: number;
  readonly status: number;
  readonly footer: number;
}

/** What matters less goes first where there is no room: the status, then the second line of the header, the footer, the header. */
export function layoutOf(rows: number): Layout {
  const footer = rows >= 3 ? 1 : 0;
  const header = rows >= 10 ? 2 : rows >= 4 ? 1 : 0;
  const status = rows >= 6 ? 1 : 0;
  return { header, footer, status, body: Math.max(1, rows - header - footer - status) };
}

/** No line fills its row: see paintFrame. */
export function roomOf(columns: number): number {
  return Math.max(1, columns - 1);
}

/** A mark before each row tells which step is selected. */
export const MARK = 1;

/** Rows of an account are as wide as this; a narrower screen shows their beginnings. */
export function accountWidth(columns: number): number {
  return Math.max(20, roomOf(columns) - MARK);
}
