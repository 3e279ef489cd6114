import { printable } from "../../../pure/base/index.ts";
import type { OutOfTime } from "../../../pure/verdicts/index.ts";
import { trend, trendMarkdown, trendText } from "../../../work/evaluate/index.ts";
import { inTerminal, say, setExitCode, write } from "../../terminal/index.ts";

export interface TrendFlags {
  readonly most?: number;
  readonly seed?: string;
  readonly outOfTime?: OutOfTime;
  readonly failOnRegression?: true;
  readonly markdown?: true;
  readonly json?: true;
}

export async function showTrend(paths: readonly string[], flags: TrendFlags): Promise<void> {
  const { most, seed, outOfTime } = flags;
  const found = trend(paths, { most, seed, outOfTime });
  if (flags.markdown) await write(trendMarkdown(found));
  else if (flags.json || !inTerminal()) await write(`${JSON.stringify(found)}\n`);
  else await write(printable(trendText(found, process.stdout.columns)));
  const worse = found.changes.filter(({ isRegression }) => isRegression);
  for (const { side, from, to } of worse) say(`${side} is shown to be worse in ${to} than in ${from}`);
  if (flags.failOnRegression && worse.length > 0) setExitCode(1);
}
