import { type Flaw, PROCESS_FILE } from "../../../host/recording/index.ts";
import { codeOf, errorWords, HarnessError, isObject, type JsonObject, spelled } from "../../../pure/base/index.ts";
import { patchFlaw } from "./changed-files.ts";
import { usageFlaw } from "./charged-usage.ts";
import { artifactsOf, block, type Evidence, readsSame } from "./evidence.ts";
import { checkForms } from "./forms.ts";
import { recomputed } from "./recompute.ts";

export interface Audit {
  readonly flaws: readonly Flaw[];
  /** What no evidence shows, so that it is only what the events say. */
  readonly unchecked: readonly string[];
  /** The verdicts that were not judged again. */
  readonly unjudged: readonly JsonObject[];
}

const EVENTS = "events.jsonl";
/** Our sentences, which another version may word differently. */
const SENTENCES = new Set(["action_summary", "summary", "message", "note"]);

/**
 * Recomputes every claim of the nine events from the evidence next to them: paths from manifests and patch, commands from their log, request
 * and constraints from the metadata, exit and times from the record of the process, what is inside a white box from the agent's output,
 * and its usage also from the model's ledger.
 * Expects events that meet the contract.
 */
export async function audit(claims: readonly JsonObject[], evidence?: Evidence, file: string = EVENTS): Promise<Audit> {
  if (!isOurs(claims, evidence)) return { flaws: [], unchecked: ["claims: these events were not written by harness"], unjudged: [] };
  try {
    if (evidence !== undefined) checkForms(evidence, claims[6]?.["event_type"] === "commands_observed");
    const { events, judged } = await recomputed(claims, evidence);
    const isSame = evidence === undefined || readsSame(evidence.metadata);
    const differences = claims.flatMap((claim, index) => {
      const found = difference(claim, JSON.parse(JSON.stringify(events[index] ?? null)), isSame ? new Set() : SENTENCES);
      return found === undefined ? [] : [{ file, line: index + 1, problem: found }];
    });
    const hasPatch = typeof artifactsOf(claims[5])[0]?.["content_ref"] === "string";
    const patch = evidence === undefined || !hasPatch ? undefined : patchFlaw(evidence);
    const usage = evidence === undefined ? undefined : usageFlaw(claims[4] ?? {}, evidence);
    const flaws = [
      ...differences,
      ...(usage === undefined ? [] : [{ file, line: 5, problem: usage }]),
      ...(patch === undefined ? [] : [{ file: "artifacts/fs_diff.patch", problem: patch }]),
    ];
    if (evidence === undefined) return { flaws, unchecked: [], unjudged: [] };
    return { flaws, unchecked: unchecked(evidence), unjudged: unjudged(claims, judged) };
  } catch (error) {
    if (!(error instanceof HarnessError) && codeOf(error) !== "") throw error; // the disk, not the data
    return { flaws: [{ file, problem: `its evidence cannot be read: ${errorWords(error)}` }], unchecked: [], unjudged: [] };
  }
}

/** An observation describes its recorder. Events alone are ours if at least one has our form of id. */
function isOurs(claims: readonly JsonObject[], evidence: Evidence | undefined): boolean {
  if (evidence !== undefined && isObject(evidence.metadata["recorder"])) return true;
  return claims.some((claim, index) => claim["event_id"] === `${spelled(block(claim, "session")["run_id"])}.${index + 1}`);
}

function unjudged(claims: readonly JsonObject[], judged: readonly string[]): readonly JsonObject[] {
  return ["alignment", "quality", "policy"]
    .flatMap((group) => block(block(claims[7] ?? {}, "evaluation"), group)["checks"])
    .filter(isObject)
    .filter(({ id, status }) => status !== "unknown" && !judged.includes(spelled(id)));
}

function unchecked({ metadata, process, file }: Evidence): readonly string[] {
  return [
    ...("request" in metadata ? [] : ["request, constraints: an earlier version did not keep them in metadata.json"]),
    ...(Object.keys(process).length > 0 ? [] : [`exit, times: there is no ${PROCESS_FILE}`]),
    ...(file("artifacts/manifest_after.jsonl") === undefined ? ["changed paths: there is no manifest of the workspace after the run"] : []),
  ];
}

/** The first field in which a claim differs from what was computed, and both values. */
function difference(claim: unknown, shown: unknown, ignored: ReadonlySet<string>, path = ""): string | undefined {
  if (isObject(claim) && isObject(shown)) {
    for (const key of new Set([...Object.keys(claim), ...Object.keys(shown)])) {
      const found = ignored.has(key) ? undefined : difference(claim[key], shown[key], ignored, path === "" ? key : `${path}.${key}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (Array.isArray(claim) && Array.isArray(shown)) {
    for (let index = 0; index < Math.max(claim.length, shown.length); index++) {
      const found = difference(claim[index], shown[index], ignored, `${path}[${index}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (claim === shown) return undefined;
  return `${path} is ${worded(claim)}; the evidence gives ${worded(shown)}`;
}

function worded(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
