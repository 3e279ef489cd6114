import { HarnessError } from "../../core/errors.ts";
import type { DataDirectory } from "../../store/data-directory.ts";
import { changesSince } from "../running/configurations.ts";
import type { Entrant } from "../running/trial.ts";
import type { Finished } from "./result-file.ts";

/** Results of the same case and agent that were asked otherwise are not the same work, and not to be mixed unnoticed. */
export function checkMixed(
  finished: readonly Finished[],
  entrants: readonly Entrant[],
  hashes: ReadonlyMap<string, string>,
  data: DataDirectory,
): void {
  for (const { id, agent, configuration, caseHash } of finished) {
    const entrant = entrants.find(({ label }) => label === agent);
    if (entrant === undefined) continue;
    const now = hashes.get(id);
    if (now !== undefined && now !== caseHash) throw mixed(`case ${JSON.stringify(id)} was another one then`);
    if (configuration === entrant.configuration) continue;
    const changes = changesSince(data, configuration, entrant.details);
    const what = changes.length > 0 ? changes.join("; ") : "another version, option or grader";
    throw mixed(`${agent} was asked otherwise then (${what})`);
  }
}

function mixed(what: string): HarnessError {
  const remedy = "Choose another -o, or mix them with --allow-mixed.";
  return new HarnessError("usage", `The results that are there do not belong to this evaluation: ${what}. ${remedy}`);
}
