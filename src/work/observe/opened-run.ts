import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type OpenedRun, openRun } from "../../host/recording/index.ts";
import { parseObject } from "../../pure/base/index.ts";
import type { Agent } from "../../pure/pipeline/index.ts";

/** The options of every call on a recorded run. */
export interface RecordedOptions {
  /** The data directory with the runs. Default: `$XDG_DATA_HOME/harness`. */
  readonly dataDirectory?: string | undefined;
  /** Receives notices: the run had to be completed first, or some records cannot be read. */
  readonly onNotice?: ((sentence: string) => void) | undefined;
}

/** Opens a run, and completes it if its recorder died. */
export async function openedRun(directory: string, { onNotice }: RecordedOptions, agent?: Agent): Promise<OpenedRun> {
  const run = await openRun(directory, agent);
  if (run.notice !== undefined) onNotice?.(run.notice);
  return run;
}

/** The run that a name means: the directory of an observation, or its `events.jsonl`, names its run. Any other name is returned unchanged. */
export function runOf(name: string): string {
  const directory = basename(name) === "events.jsonl" ? dirname(name) : name;
  const metadata = join(directory, "metadata.json");
  if (existsSync(join(directory, "run.json")) || !existsSync(metadata)) return name;
  const id = parseObject(readFileSync(metadata, "utf8"))?.["run_id"];
  return typeof id === "string" ? id : name;
}
