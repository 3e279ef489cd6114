import { clip, dollars, notes } from "../../../pure/base/index.ts";
import { onStopSignals, setExitCode, terminal, write, writeJson } from "../../terminal/index.ts";
import { tokensSoFar } from "../account/index.ts";
import { listedRun } from "../listed-run.ts";
import type { RunList } from "./run-list.ts";
import { isLive } from "./watch-state.ts";
import type { WatchedRun } from "./watched-run.ts";

interface Options {
  readonly listOf: (onChange: (run: WatchedRun) => void) => RunList;
  /** One run: told also if it is over, and until it is. */
  readonly isOne: boolean;
  readonly asJson: boolean;
}

/** One line for each change of a live run: for programs an object, for people what matters of it. */
export async function watchLines({ listOf, isOne, asJson }: Options): Promise<void> {
  const told = new Map<string, string>(); // of those that are live: what was said of them last
  const waiting = new Map<string, WatchedRun>();
  let writing: Promise<void> | undefined;
  let leave: (error?: unknown) => void = () => {};
  const left = new Promise<void>((resolve, reject) => (leave = (error) => (error === undefined ? resolve() : reject(error))));

  function change(run: WatchedRun): void {
    if (!isLive(run) && !told.has(run.id) && !isOne) return; // it was over before we came
    const state = JSON.stringify(printed({ ...run, lastAt: null }));
    if (told.get(run.id) === state) return;
    if (isLive(run)) told.set(run.id, state);
    else told.delete(run.id);
    waiting.set(run.id, run);
    writing ??= writeAll()
      .catch(leave)
      .finally(() => (writing = undefined));
  }

  /** A reader who is slow gets the newest state of each run, and costs no memory. */
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
  const open = setInterval(() => {}, 1 << 30); // a watch on files alone does not keep a process
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
  const { usage: tokens, toolCalls, activity, lastAt } = run;
  return { ...listedRun(run), tokens, toolCalls, activity, lastAt };
}

function plainLine({ id, agent, status, usage, costUsd, activity }: WatchedRun): string {
  const spent = notes(usage !== null && tokensSoFar(usage), costUsd !== null && dollars(costUsd));
  return `${clip(notes(id, agent ?? "", status ?? "unknown", spent, activity ?? ""), terminal.width - 1)}\n`;
}
