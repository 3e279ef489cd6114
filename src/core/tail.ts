const LINES = 10;
const LINE_CAP = 400;

/**
 * The last words of an agent, for the error that ends a failed run: its stderr, else what it printed on stdout that is no
 * event, else its last error. Lines known to be noise count only when there is nothing else. Lines
 * that were read as events are never kept: they may hold file contents.
 */
export function tailKeeper() {
  const said: string[] = [];
  const noise: string[] = [];
  const printed: string[] = [];
  let lastError: string | undefined;

  return {
    stderr: (line: string, known: boolean) => keep(known ? noise : said, line),
    stdout: (line: string) => keep(printed, line),
    error: (message: string) => {
      lastError = message;
    },
    text(): string | undefined {
      const lines = [said, printed].find((list) => list.length > 0);
      if (lines !== undefined) return lines.join("\n");
      return lastError ?? (noise.length > 0 ? noise.join("\n") : undefined);
    },
  };
}

function keep(lines: string[], line: string): void {
  lines.push(line.length > LINE_CAP ? `${line.slice(0, LINE_CAP)}…` : line);
  if (lines.length > LINES) lines.shift();
}
