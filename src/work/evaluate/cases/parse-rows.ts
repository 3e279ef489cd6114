import { readFileSync, statSync } from "node:fs";
import { extname } from "node:path";
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type YAMLMap } from "yaml";
import { HarnessError, isObject } from "../../../pure/base/index.ts";
import { csvRows } from "./csv-rows.ts";
import { type ParsedRow, resolved } from "./parsed-row.ts";
import { taskRows } from "./task-rows.ts";

/** A larger data set belongs into JSON lines, which are never in memory as a whole. */
const LARGEST = 256 * 1024 * 1024;

/** The rows of a data set in JSON, YAML, CSV, or a directory of task folders; undefined if it is a file of JSON lines. */
export function parsedRows(path: string): readonly ParsedRow[] | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return taskRows(path);
  switch (extname(path).toLowerCase()) {
    case ".csv":
      return csvRows(textOf(path), path);
    case ".json":
    case ".yaml":
    case ".yml":
      return listRows(textOf(path), path);
    default:
      return undefined;
  }
}

function textOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new HarnessError("input", `Cannot read ${path}: there is no such file.`);
  if (stats.size > LARGEST) throw new HarnessError("input", `${path} is too large to be read as a whole. Use JSON lines.`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch (cause) {
    throw new HarnessError("input", `Cannot read ${path}: it is not UTF-8.`, { cause });
  }
}

/** A list of cases, or an object whose `cases` is one. JSON is YAML, so both have lines. */
function listRows(text: string, path: string): readonly ParsedRow[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "error" });
  const at = (offset: number) => `${path}:${lines.linePos(offset).line}`;
  const [error] = document.errors;
  if (error !== undefined) throw new HarnessError("input", `${at(error.pos[0])}: ${error.message.replace(/\.?$/, ".")}`);
  const top = document.contents;
  const list = isMap(top) ? (top as YAMLMap<unknown, unknown>).get("cases", true) : top;
  if (!isSeq(list)) throw new HarnessError("input", `${path}: not a list of cases. Write a list, or an object whose "cases" is one.`);
  return list.items.map((item) => {
    const [offset = 0] = isMap(item) || isScalar(item) || isSeq(item) || isAlias(item) ? (item.range ?? []) : [];
    const value = isMap(item) ? resolved(() => item.toJS(document, { maxAliasCount: 100 }), at(offset)) : undefined;
    if (!isObject(value)) throw new HarnessError("input", `${at(offset)}: a case is an object with "id" and "input".`);
    return { text: JSON.stringify(value), line: lines.linePos(offset).line, where: at(offset) };
  });
}
