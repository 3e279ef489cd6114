import { clip, notes } from "../../../pure/base/index.ts";
import { shortCost } from "../../../pure/events/index.ts";
import { onStopSignals, setExitCode, terminal, write, writeJson } from "../../terminal/index.ts";
import { tokensSoFar } from "../account/index.ts";
import { listedRun } from "../listed-run.ts";
import type { RunList } from "./run-list.ts";
import { isLive } from "./watch-state.ts";
import type { WatchedRun } from "./watched-run.ts";

interface Options {
  readonly listOf: (onChange: (run: WatchedRun) => void) => RunList;
  /** Watch one run, printed even if it is over, and stop when it ends. */
  readonly isOne: boolean;
  readonly asJson: boolean;
}

/** Prints a line for each change of a live run: an object for programs, a summary for people. */
export async function watchLines({ listOf, isOne, asJson }: Options): Promise<void> {
  const printedLast = new Map<string, string>(); // by live run
  const waiting = new Map<string, WatchedRun>();
  let writing: Promise<void> | undefined;
  let leave: (error?: unknown) => void = () => {};
  const left = new Promise<void>((resolve, reject) => (leave = (error) => (error === undefined ? resolve() : reject(error))));

  function change(run: WatchedRun): void {
    if (!isLive(run) && !printedLast.has(run.id) && !isOne) return; // it ended before the watch started
    const state = JSON.stringify(printed({ ...run, lastAt: null }));
    if (printedLast.get(run.id) === state) return;
    if (isLive(run)) printedLast.set(run.id, state);
    else printedLast.delete(run.id);
    waiting.set(run.id, run);
    writing ??= writeAll()
      .catch(leave)
      .finally(() => (writing = undefined));
  }

  /** A slow reader gets only the newest state of each run, so memory stays bounded. */
  async function writeAll(): Promise<void> {
    for (;;) {
      const [run] = waiting.values();
      if (run === undefined) return;
      waiting.delete(run.id);
      await (asJson ? writeJson([printed(run)]) : write(plainLine(run)));
      if (isOne && !isLive(run)) leave();
    }
  }

  const signals = onStopSignals(() => leave());
  const list = listOf(change);
  list.failed.catch(leave);
  const open = setInterval(() => {}, 1 << 30); // watching files alone does not keep the process alive
  try {
    await left;
    await writing;
  } finally {
    clearInterval(open);
    const bySignal = signals.done();
    if (bySignal !== undefined) setExitCode(bySignal);
    await list.close();
  }
}

function printed(run: WatchedRun): object {
  const { usage: tokens, partialUsage, toolCalls, activity, lastAt } = run;
  return { ...listedRun(run), tokens, ...(partialUsage && { partialUsage }), toolCalls, activity, lastAt };
}

function plainLine(run: WatchedRun): string {
  const { id, agent, status, costUsd, partialCost, activity } = run;
  const spent = notes(tokensSoFar(run), shortCost(costUsd, partialCost) ?? "");
  return `${clip(notes(id, agent ?? "", status ?? "unknown", spent, activity ?? ""), terminal.width - 1)}\n`;
}
