import { closeSync, readSync } from "node:fs";
import { openToRead } from "../../host/files/index.ts";
import { dataOfRun, sessionPaths } from "../../host/recording/index.ts";
import { parseObject } from "../../pure/base/index.ts";
import { addTokens, type Covers, noTokens, type Tokens } from "../../pure/events/index.ts";
import type { RunRow } from "../../pure/pipeline/index.ts";

interface Read {
  offset: number;
  /** The start of a line that was not complete yet. */
  rest: string;
  toolCalls: number;
  usage: Tokens;
  /** The least that a report so far covers. */
  covers?: Covers;
}

const PIECE = 1024 * 1024;
/** Read at most this many pieces per request; the rest follows with the next one. */
const MOST_PIECES = 8;
/** The lines that are counted are shorter than this. */
const LONGEST = 64 * 1024;

/** Tool calls and usage of a live run so far. Each call reads only what was added to the unified stream. */
export function liveFigures() {
  const known = new Map<string, Read>();

  function take(read: Read, line: string): void {
    if (line.startsWith('{"type":"ToolStart"')) read.toolCalls++;
    else if (line.startsWith('{"type":"UsageDelta"')) {
      const record = parseObject(line);
      const usage = record?.["usage"];
      if (usage !== undefined) read.usage = addTokens(read.usage, usage as Tokens);
      if (record?.["covers"] === "last-step") read.covers = "last-step";
    }
  }

  return {
    of(directory: string): Pick<RunRow, "toolCalls" | "usage" | "partialUsage"> {
      const read = known.get(directory) ?? { offset: 0, rest: "", toolCalls: 0, usage: noTokens };
      known.set(directory, read);
      const { sessions, id } = dataOfRun(directory);
      const fd = openToRead(sessionPaths(sessions, id).stream);
      if (fd === undefined) return { toolCalls: null, usage: null };
      try {
        const buffer = Buffer.allocUnsafe(PIECE);
        for (let piece = 0; piece < MOST_PIECES; piece++) {
          const count = readSync(fd, buffer, 0, PIECE, read.offset);
          if (count === 0) break;
          read.offset += count;
          const lines = (read.rest + buffer.toString("latin1", 0, count)).split("\n"); // the counted lines start with ASCII
          read.rest = (lines.pop() ?? "").slice(0, LONGEST);
          for (const line of lines) take(read, line);
        }
      } finally {
        closeSync(fd);
      }
      const { toolCalls, usage, covers } = read;
      if (covers !== undefined) return { toolCalls, usage: null, partialUsage: { covers, complete: true, tokens: usage } };
      return { toolCalls, usage: usage === noTokens ? null : usage };
    },
    forget(directory: string): void {
      known.delete(directory);
    },
  };
}
