import { closeSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { setImmediate as nextTurn } from "node:timers/promises";
import { bytesOf, openToRead } from "../../host/files/index.ts";
import { dataOfRun, runPaths, sessionPaths } from "../../host/recording/index.ts";
import { HarnessError, parseObject } from "../../pure/base/index.ts";
import { holdsText } from "../../pure/timeline/index.ts";
import type { RunList } from "./run-list.ts";

export interface FoundRuns {
  readonly ids: readonly string[];
  /** Continue after this run; null if all runs were searched. */
  readonly next: string | null;
}

const BUDGET_MS = 300;
const LONGEST_LINE = 1024 * 1024;

/** What to search: everything said, read, written and run; only names of tools; or only paths of files. */
export const places = ["all", "tool", "path"] as const;
export type Place = (typeof places)[number];

/** The runs after `before`, newest first, that contain this text. Stops after a time limit; the caller continues at `next`. */
export async function findInRuns(list: RunList, text: string, place: Place, before: string | undefined): Promise<FoundRuns> {
  const all = list.ids();
  const wanted = { text: text.toLowerCase(), written: JSON.stringify(text).slice(1, -1).toLowerCase(), place }; // as JSON spells it
  const ids: string[] = [];
  const begin = performance.now();
  for (const id of all.slice(before === undefined ? 0 : all.indexOf(before) + 1)) {
    const directory = list.directory(id);
    if (directory !== undefined && (await isIn(directory, wanted))) ids.push(id);
    if (performance.now() - begin > BUDGET_MS) return { ids, next: id };
  }
  return { ids, next: null };
}

interface Wanted {
  readonly text: string;
  readonly written: string;
  readonly place: Place;
}

/** Searches the unified stream, which has messages and calls with their input; for paths, the activity. Both have secrets masked. */
async function isIn(directory: string, wanted: Wanted): Promise<boolean> {
  const { sessions, id } = dataOfRun(directory);
  const fd = opened(wanted.place === "path" ? runPaths(directory).events : sessionPaths(sessions, id).stream);
  if (fd === undefined) return false;
  try {
    const decoder = new StringDecoder("utf8");
    let rest = "";
    for (const bytes of bytesOf(fd)) {
      const text = rest + decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
      const end = text.lastIndexOf("\n") + 1;
      rest = text.slice(end, end + LONGEST_LINE);
      // Most blocks do not contain the text at all; only the others are split into lines.
      if (
        text.toLowerCase().includes(wanted.written) &&
        text
          .slice(0, end)
          .split("\n")
          .some((line) => holds(line, wanted))
      )
        return true;
      await nextTurn();
    }
    return false;
  } finally {
    closeSync(fd);
  }
}

function holds(line: string, { text, written, place }: Wanted): boolean {
  if (!line.toLowerCase().includes(written)) return false;
  const record = parseObject(line);
  return holdsText(place === "all" ? record : record?.[place === "tool" ? "tool_name" : "path"], text);
}

function opened(path: string): number | undefined {
  try {
    return openToRead(path);
  } catch (error) {
    if (error instanceof HarnessError) return undefined; // the file is gone; the run may still be readable
    throw error;
  }
}
