import type { DataDirectory } from "../../../host/recording/index.ts";
import { clipped, HarnessError, isObject } from "../../../pure/base/index.ts";
import type { Case } from "../cases/index.ts";
import { type Configuration, changesSince, differences, type Entrant } from "../trial/index.ts";
import { readResults } from "./read-results.ts";
import type { ResultFile } from "./result-file.ts";

/** Throws if existing results of the same case and agent come from a different question or configuration: the two must not mix unnoticed. */
export function checkMixed(
  { finished, open, path, evaluation }: Pick<ResultFile, "finished" | "open" | "path" | "evaluation">,
  entrants: readonly { readonly entrant: Entrant; readonly details: Configuration }[],
  cases: ReadonlyMap<string, { readonly hash: string; readonly read: () => Case }>,
  data: DataDirectory,
): void {
  const empty = new Set(open.flatMap(({ work, kept }) => (kept === 0 ? [work] : []))); // nothing of them stays, so nothing can mix
  for (const work of finished) {
    if (empty.has(work)) continue;
    const { id, agent, caseHash } = work;
    const asked = entrants.find(({ entrant }) => entrant.label === agent);
    if (asked === undefined) continue;
    if (work.evaluation !== evaluation)
      throw mixed(`case ${JSON.stringify(id)} of ${agent} is from ${worded(work.evaluation)}, and the file from ${worded(evaluation)}`);
    const now = cases.get(id);
    if (now !== undefined && now.hash !== caseHash) {
      const changes = path === undefined ? [] : caseChanges(path, id, agent, now.read());
      const what = changes.length > 0 ? changes.join("; ") : "its reference, timeout, workspace or setup";
      throw mixed(`case ${JSON.stringify(id)} has changed (${what})`);
    }
  }
  for (const work of finished) {
    const { agent, configuration } = work;
    const asked = entrants.find(({ entrant }) => entrant.label === agent);
    if (empty.has(work) || asked === undefined) continue;
    if (configuration === asked.entrant.configuration) continue;
    const changes = changesSince(data, configuration, asked.details);
    const what = changes.length > 0 ? changes.join("; ") : "its version, options or grader";
    throw mixed(`the settings of ${agent} have changed (${what})`);
  }
}

/** How a case differs from the copy in its result line. */
function caseChanges(path: string, id: string, agent: string, { input, expected, metadata }: Case): readonly string[] {
  for (const { line } of readResults(path)) {
    if (line.id !== id || line["agent"] !== agent) continue;
    const then = isObject(line["metadata"]) ? { ...line["metadata"] } : {};
    if (then["agent"] === agent) delete then["agent"]; // our own addition
    const before = { input: line["input"], expected: line["expected"] ?? null, metadata: then };
    return differences(before, { input, expected: expected ?? null, metadata }).map((change) => clipped(change, LONGEST));
  }
  return [];
}

const LONGEST = 240;

function worded(evaluation: string | undefined): string {
  return evaluation === undefined ? "an earlier version of harness" : `the evaluation ${evaluation}`;
}

function mixed(what: string): HarnessError {
  return new HarnessError("usage", `The existing results do not belong to this evaluation: ${what}.`, { option: "allowMixed" });
}
