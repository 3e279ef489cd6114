import { HarnessError } from "../../../pure/base/index.ts";
import { type Case, type CasePlace, turnsOf } from "./case.ts";
import { readCase } from "./read-case.ts";
import { readLines, readStretch } from "./read-lines.ts";

/** A data set that was looked at from its first to its last line, and found right. */
export interface CaseFile {
  readonly path: string;
  readonly places: readonly CasePlace[];
  /** Reads the case again: of a large data set only the places are kept. */
  read(place: CasePlace): Case;
}

const BOM = "\uFEFF";

/** Reads every case, and fails with file and line at the first that is wrong, or that has the id of an earlier one. */
export function openCaseFile(path: string, keep: (row: Case) => boolean = () => true): CaseFile {
  const lines = new Map<string, number>();
  const places: CasePlace[] = [];
  let line = 0;
  for (const { text, offset, length, oversize, base64 } of readLines(path)) {
    line++;
    const where = `${path}:${line}`;
    if (oversize) throw new HarnessError("input", `${where}: the line has ${length} bytes, which is too long for a case.`);
    if (base64 !== undefined) throw new HarnessError("input", `${where}: the line is not UTF-8; save the file in that encoding.`);
    const json = line === 1 && text.startsWith(BOM) ? text.slice(1) : text;
    if (json.trim() === "") continue;
    const row = readCase(json, where);
    const earlier = lines.get(row.id);
    if (earlier !== undefined)
      throw new HarnessError(
        "input",
        `${where}: the id ${JSON.stringify(row.id)} is that of line ${earlier} too; every case needs its own.`,
      );
    lines.set(row.id, line);
    if (keep(row)) places.push({ id: row.id, line, offset, length, turns: turnsOf(row).length });
  }
  if (lines.size === 0) throw new HarnessError("input", `${path} holds no case; every line is one, such as {"id":"a","input":"…"}.`);
  return {
    path,
    places,
    read({ line, offset, length }) {
      const text = readStretch(path, offset, length);
      return readCase(text.startsWith(BOM) ? text.slice(1) : text, `${path}:${line}`);
    },
  };
}
