import { statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type DataDirectory, findRun, runIds } from "../../../host/recording/index.ts";
import { inTerminal, watchReader } from "../../terminal/index.ts";
import { runList, type WatchedRun } from "../../tui/index.ts";
import { ourData } from "../options/index.ts";

export interface WatchFlags {
  readonly json?: true;
}

/** The list shows this many runs, the newest. */
const MOST = 200;
/** A run starts at most this long after its directory is created. */
const SETTLED_MS = 5000;

/** `harness watch`: a full screen in a terminal, otherwise a line for each change. */
export async function watchRuns(name: string | undefined, { json }: WatchFlags): Promise<void> {
  const data = ourData();
  const only = name === undefined ? undefined : findRun(data, name);
  const listOf = (onChange: (run: WatchedRun) => void) =>
    runList({
      directories: only === undefined ? newestOf(data) : () => [only],
      watched: [data.runs],
      onChange,
    });
  if (json !== true && canDraw()) {
    const { watchScreen } = await import("../../tui/index.ts");
    const runs = only === undefined ? data.runs : dirname(only);
    return watchScreen({ listOf, directoryOf: (id) => join(runs, id), ...(only === undefined ? {} : { only: basename(only) }) });
  }
  watchReader();
  const { watchLines } = await import("../../tui/index.ts");
  await watchLines({ listOf, isOne: only !== undefined, asJson: json === true || !inTerminal() });
}

/** The directories of the newest runs. The folder is listed again only while it changes, and for a short time afterwards. */
function newestOf(data: DataDirectory): () => readonly string[] {
  let known: readonly string[] = [];
  let changedAt = -1;
  let seenAt = 0;
  return () => {
    const at = statSync(data.runs, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (at !== changedAt) seenAt = performance.now();
    if (at === changedAt && performance.now() - seenAt > SETTLED_MS) return known;
    changedAt = at;
    known = runIds(data)
      .slice(0, MOST)
      .map((id) => join(data.runs, id));
    return known;
  };
}

/** Keys must come from a terminal, and the output must understand escape sequences. */
function canDraw(): boolean {
  return inTerminal() && process.stdin.isTTY && process.env["TERM"] !== "dumb";
}
