import { columnsOf } from "../../src/pure/base/text.ts";

/** As much of a terminal as the account uses: what is on the screen after everything that was written. */
export function screen(columns: number) {
  const rows: string[][] = [[]];
  let row = 0;
  let column = 0;
  let wraps = true;
  let overflows = 0;

  function put(character: string): void {
    const width = columnsOf(character);
    if (column + width > columns) {
      overflows++;
      if (wraps) newRow();
      else column = columns - width;
    }
    const cells = rows[row] ?? [];
    if (width === 0) cells[column - 1] += character;
    for (let i = 0; i < width; i++) cells[column++] = i === 0 ? character : "";
  }

  function newRow(): void {
    row++;
    column = 0;
    rows[row] ??= [];
  }

  function obey(sequence: string): void {
    if (sequence === "\x1b[K" || sequence === "\x1b[J") rows[row]?.splice(column);
    if (sequence === "\x1b[J") rows.splice(row + 1);
    if (sequence === "\x1b[?7l" || sequence === "\x1b[?7h") wraps = sequence.endsWith("h");
  }

  return {
    write(text: string): void {
      for (const [token] of text.matchAll(/\x1b\[\??[\d;]*[A-Za-z]|[\s\S]/gu)) {
        if (token.startsWith("\x1b")) obey(token);
        else if (token === "\r") column = 0;
        else if (token === "\n") newRow();
        else put(token);
      }
    },
    /** The rows, without blanks at their ends, and without blank rows at the end. */
    text: (): string =>
      rows
        .map((cells) => cells.join("").trimEnd())
        .join("\n")
        .trimEnd(),
    /** The row that the cursor is in. */
    line: (): string => (rows[row] ?? []).join("").trimEnd(),
    column: (): number => column,
    /** How often something did not fit in its row. */
    overflows: (): number => overflows,
  };
}
