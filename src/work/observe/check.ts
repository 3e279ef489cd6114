import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { agentOfRun, damageNotice, dataOf, eventsOfRun, findRun } from "../../host/recording/index.ts";
import { parseObject } from "../../pure/base/index.ts";
import type { CheckBody } from "../../pure/events/index.ts";
import { evaluateRun } from "./evaluation/index.ts";
import { openedRun, type RecordedOptions } from "./opened-run.ts";

export interface CheckOptions extends RecordedOptions {
  /** Further checks, by name. */
  readonly checks?: readonly string[] | undefined;
  /** Further checks, as a file: YAML or a module. */
  readonly policy?: string | undefined;
}

/** What one check came to, with its evidence. */
export type CheckResult = Omit<CheckBody, "type">;

/**
 * Judges a recorded run again, by what is recorded of it: by its scenario, and by further checks. The run is named by its id, the unique
 * beginning of one, `last`, its directory, or that of an observation.
 */
export async function check(run: string, options: CheckOptions = {}): Promise<readonly CheckResult[]> {
  const { checks, policy, onNotice } = options;
  const { manifest, directory } = await openedRun(findRun(dataOf(options), runOf(run)), options);
  const events = eventsOfRun(manifest, directory, await agentOfRun(manifest), {
    onDamage: (damages) => {
      const notice = damageNotice(directory, damages);
      if (notice !== undefined) onNotice?.(notice);
    },
  });
  const verdicts = await evaluateRun({
    events,
    directory,
    constraints: [],
    ...(policy !== undefined && { policy }),
    ...(checks !== undefined && { checks }),
  });
  return verdicts.map(checkResult);
}

export function checkResult({ type: _, ...result }: CheckBody): CheckResult {
  return result;
}

/** An observation's own directory names its run. */
function runOf(name: string): string {
  const metadata = join(name, "metadata.json");
  if (existsSync(join(name, "run.json")) || !existsSync(metadata)) return name;
  const id = parseObject(readFileSync(metadata, "utf8"))?.["run_id"];
  return typeof id === "string" ? id : name;
}
