import { agentOfRun, damageNotice, dataOf, eventsOfRun, findRun } from "../../host/recording/index.ts";
import type { CheckBody } from "../../pure/events/index.ts";
import { evaluateRun } from "./evaluation/index.ts";
import { openedRun, type RecordedOptions, runOf } from "./opened-run.ts";

export interface CheckOptions extends RecordedOptions {
  /** Additional checks, by name. */
  readonly checks?: readonly string[] | undefined;
  /** A file with additional checks: YAML or a module. */
  readonly policy?: string | undefined;
}

/** The result of one check, with its evidence. */
export type CheckResult = Omit<CheckBody, "type">;

/**
 * Judges a recorded run again, from its recording alone: by its scenario and by additional checks. Name the run by its id, a unique prefix,
 * `last`, its directory, or the directory of an observation.
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
