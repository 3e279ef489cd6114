export interface Layout {
  readonly header: number;
  readonly body: number;
  readonly status: number;
  readonly footer: number;
}

/** On a small screen the less important parts go first: the second line of the header, the status, the header, the footer. */
export function layoutOf(rows: number): Layout {
  const footer = rows >= 3 ? 1 : 0;
  const header = rows >= 10 ? 2 : rows >= 4 ? 1 : 0;
  const status = rows >= 6 ? 1 : 0;
  return { header, footer, status, body: Math.max(1, rows - header - footer - status) };
}

/** A line never fills its row: see paintFrame. */
export function roomOf(columns: number): number {
  return Math.max(1, columns - 1);
}

/** A mark before each row shows the selected step. */
export const MARK = 1;

/** The width of the rows; a narrower screen clips them. */
export function accountWidth(columns: number): number {
  return Math.max(20, roomOf(columns) - MARK);
}
