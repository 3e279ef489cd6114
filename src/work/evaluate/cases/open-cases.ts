import { statSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import { HarnessError } from "../../../pure/base/index.ts";
import { type Case, type CasePlace, type CaseRow, turnsOf } from "./case.ts";
import { parsedRows } from "./parse-rows.ts";
import type { ParsedRow } from "./parsed-row.ts";
import { readCase } from "./read-case.ts";
import { readLines, readStretch } from "./read-lines.ts";

/** A data set in which every line was checked and is valid. */
export interface Cases {
  /** Its path, for messages. */
  readonly name: string;
  /** The base of its relative paths. */
  readonly directory: string;
  readonly places: readonly CasePlace[];
  /** Fields that some cases have and nothing reads. */
  readonly unread: readonly string[];
  /** Reads the case again: a large data set keeps only positions in memory. */
  read(place: CasePlace): Case;
}

const BOM = "\uFEFF";

/** Reads every case of a file, a directory of task folders or a list. Throws, with the place, at the first invalid case or repeated id. */
export function openCases(cases: string | readonly CaseRow[], keep: (row: Case) => boolean = () => true): Cases {
  const isFile = typeof cases === "string";
  const name = isFile ? cases : "cases";
  const rows = isFile
    ? parsedRows(cases)
    : cases.map((row, index) => ({ text: String(JSON.stringify(row)), line: index + 1, where: `cases:${index + 1}` }));
  const lines = new Map<string, number>();
  const places: CasePlace[] = [];
  const unread = new Set<string>();
  let line = 0;
  for (const { text, offset, length, oversize, base64 } of rows === undefined ? readLines(name) : rowsOf(rows)) {
    const place = rows?.[line];
    line++;
    const where = place?.where ?? `${name}:${line}`;
    if (oversize) throw new HarnessError("input", `${where}: the line has ${length} bytes, too long for a case.`);
    if (base64 !== undefined) throw new HarnessError("input", `${where}: the line is not UTF-8. Save the file as UTF-8.`);
    const json = line === 1 && text.startsWith(BOM) ? text.slice(1) : text;
    if (json.trim() === "") continue;
    const row = readCase(json, where, unread);
    const earlier = lines.get(row.id);
    if (earlier !== undefined)
      throw new HarnessError("input", `${where}: line ${earlier} already has the id ${JSON.stringify(row.id)}. Every case needs its own.`);
    lines.set(row.id, place?.line ?? line);
    if (keep(row)) places.push({ id: row.id, line: place?.line ?? line, offset, length, turns: turnsOf(row).length });
  }
  if (lines.size === 0) throw new HarnessError("input", `${name} contains no case. A case is an object such as {"id":"a","input":"…"}.`);
  return {
    name,
    directory: !isFile ? process.cwd() : isFolder(cases) ? resolve(cases) : dirname(resolve(cases)),
    places,
    unread: [...unread],
    read({ line, offset, length }) {
      const row = rows?.[offset];
      const text = row?.text ?? readStretch(name, offset, length);
      return readCase(text.startsWith(BOM) ? text.slice(1) : text, row?.where ?? `${name}:${line}`);
    },
  };
}

/** A case's workspace as a path or address that means the same anywhere. A relative path starts at the data set. */
export function workspaceOf(name: string | undefined, { directory }: Pick<Cases, "directory">): string | undefined {
  if (name === undefined || name === "") return undefined;
  return isAddress(name) || isAbsolute(name) ? name : resolve(directory, name);
}

function isAddress(name: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(name) || /^[^/]+@[^/]+:/.test(name);
}

interface Row {
  readonly text: string;
  readonly offset: number;
  readonly length: number;
  readonly oversize?: undefined;
  readonly base64?: undefined;
}

function rowsOf(rows: readonly ParsedRow[]): readonly Row[] {
  return rows.map(({ text }, offset) => ({ text, offset, length: 0 }));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
