import { columnsOf } from "../../src/pure/base/text.ts";

/** A minimal terminal, enough for the live account: what is on the screen after all writes. */
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
    /** The rows without trailing blanks, and without blank rows at the end. */
    text: (): string =>
      rows
        .map((cells) => cells.join("").trimEnd())
        .join("\n")
        .trimEnd(),
    /** The cursor's row. */
    line: (): string => (rows[row] ?? []).join("").trimEnd(),
    column: (): number => column,
    /** The number of writes that did not fit their row. */
    overflows: (): number => overflows,
  };
}
