import { clipped } from "./clipped.ts";

const LINES = 10;
const LINE_CAP = 400;

/** Longer lines are cut on arrival. Shorter ones are cut only when shown: cutting copies, and only ten of all lines are shown. */
const LONG = 16 * 1024;

/**
 * The last lines an agent printed, for the error that ends a failed run. In order of preference: stderr, plain text on stdout, its last
 * error, JSON that was not understood, known noise. Lines that were read as events, and torn lines, are never kept: they may hold file
 * contents.
 */
export function tailKeeper() {
  const complaints: string[] = [];
  const noise: string[] = [];
  const printed: string[] = [];
  const objects: string[] = [];
  let lastError: string | undefined;

  return {
    stderr: (line: string, known: boolean) => keep(known ? noise : complaints, line),
    stdout: (line: string, isObject = false) => keep(isObject ? objects : printed, line),
    error: (message: string) => {
      lastError = message;
    },
    text(): string | undefined {
      const errors = lastError === undefined ? [] : [lastError]; // never cut
      const list = [complaints, printed, errors, objects, noise].find((lines) => lines.length > 0);
      return (list === errors ? errors : list?.map(cut))?.join("\n");
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
