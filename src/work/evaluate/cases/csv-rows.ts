import { HarnessError } from "../../../pure/base/index.ts";
import type { ParsedRow } from "./parsed-row.ts";
import { isFieldLike } from "./read-case.ts";

/** A row per case (RFC 4180). The first row has the names of fields; `metadata.x` and any other name are metadata. An empty cell is absent. */
export function csvRows(text: string, path: string): readonly ParsedRow[] {
  const [head, ...rows] = records(text.replace(/^\uFEFF/, ""), path);
  if (head === undefined) return [];
  const names = head.cells.map((name) => name.trim());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new HarnessError("input", `${path}:1: two columns have the name ${JSON.stringify(twice)}.`);
  return rows.map(({ cells, line }) => {
    const where = `${path}:${line}`;
    if (cells.length !== names.length)
      throw new HarnessError("input", `${where}: ${cells.length} cells, but the first row has ${names.length}.`);
    const row: Record<string, unknown> = {};
    const metadata: Record<string, string> = {};
    for (const [index, name] of names.entries()) {
      const cell = cells[index] ?? "";
      if (cell === "") continue;
      if (name.startsWith("metadata.")) metadata[name.slice("metadata.".length)] = cell;
      else if (isFieldLike(name)) row[name] = name === "timeout" ? Number(cell) : cell;
      else metadata[name] = cell;
    }
    return { text: JSON.stringify({ ...row, metadata }), line, where };
  });
}

interface CsvRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

function records(text: string, path: string): readonly CsvRecord[] {
  const all: CsvRecord[] = [];
  let cells: string[] = [];
  let line = 1;
  let start = 1;
  let at = 0;
  const end = () => {
    if (cells.length > 1 || cells[0] !== "") all.push({ cells, line: start });
    cells = [];
  };
  while (at < text.length) {
    if (cells.length === 0) start = line;
    let cell = "";
    if (text[at] === '"') {
      const opened = line;
      for (at++; ; at++) {
        if (at >= text.length) throw new HarnessError("input", `${path}:${opened}: a quotation mark is not closed.`);
        const character = text[at] ?? "";
        if (character === "\n") line++;
        if (character !== '"') cell += character;
        else if (text[at + 1] === '"') {
          cell += '"';
          at++;
        } else break;
      }
      at++;
      if (at < text.length && !",\r\n".includes(text[at] ?? ""))
        throw new HarnessError("input", `${path}:${line}: text after a closing quotation mark.`);
    } else {
      const stop = text.slice(at).search(/[,\r\n]/);
      cell = stop === -1 ? text.slice(at) : text.slice(at, at + stop);
      at += cell.length;
    }
    cells.push(cell);
    const character = text[at];
    if (character === ",") {
      at++;
      if (at >= text.length) cells.push("");
      continue;
    }
    if (character === "\r") at++;
    if (text[at] === "\n") at++;
    line++;
    end();
  }
  if (cells.length > 0) end();
  return all;
}
