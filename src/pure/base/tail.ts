import { clipped } from "./clipped.ts";

const LINES = 10;
const LINE_CAP = 400;

/** A longer line is cut when it comes and not when it is shown: to cut is to copy, and of all these lines only ten are shown. */
const LONG = 16 * 1024;

/**
 * The last words of an agent, for the error that ends a failed run: its stderr, else what it printed on stdout that is no
 * event, else its last error, else JSON that nobody could read, else lines known to be noise. Lines that were read as
 * events, and torn ones, are never kept: they may hold file contents.
 */
export function tailKeeper() {
  const said: string[] = [];
  const noise: string[] = [];
  const printed: string[] = [];
  const objects: string[] = [];
  let lastError: string | undefined;

  return {
    stderr: (line: string, known: boolean) => keep(known ? noise : said, line),
    stdout: (line: string, isObject = false) => keep(isObject ? objects : printed, line),
    error: (message: string) => {
      lastError = message;
    },
    text(): string | undefined {
      const told = lastError === undefined ? [] : [lastError]; // whole, as it was told
      const list = [said, printed, told, objects, noise].find((lines) => lines.length > 0);
      return (list === told ? told : list?.map(cut))?.join("\n");
    },
  };
}

function keep(lines: string[], line: string): void {
  lines.push(line.length > LONG ? cut(line) : line);
  if (lines.length > LINES) lines.shift();
}

function cut(line: string): string {
  return clipped(line, LINE_CAP);
}
