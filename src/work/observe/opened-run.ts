import { type OpenedRun, openRun } from "../../host/recording/index.ts";
import type { Agent } from "../../pure/pipeline/index.ts";

/** What every call takes that is about a recorded run. */
export interface RecordedOptions {
  /** Where runs are kept. Default: `$XDG_DATA_HOME/harness`. */
  readonly dataDirectory?: string | undefined;
  /** Gets a sentence for what is worth knowing besides the answer: a run that had to be completed first, records that cannot be read. */
  readonly onNotice?: ((sentence: string) => void) | undefined;
}

/** Opens a run, and completes it where its recorder died. */
export async function openedRun(directory: string, { onNotice }: RecordedOptions, agent?: Agent): Promise<OpenedRun> {
  const run = await openRun(directory, agent);
  if (run.notice !== undefined) onNotice?.(run.notice);
  return run;
}
