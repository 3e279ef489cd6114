import { join } from "node:path";
import { eventsOfRun, type Flaw, type RunManifest } from "../../../host/recording/index.ts";
import { type JsonObject, spelled } from "../../../pure/base/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import { evidenceIn } from "../audit/index.ts";
import { evaluateRun } from "../evaluation/index.ts";
import { POLICY_FILE } from "../out-directory.ts";

export interface Judged {
  readonly flaws: readonly Flaw[];
  /** The verdicts that nothing here can judge again, in a few words. */
  readonly unchecked: readonly string[];
}

/** Judges again what the observation alone does not show, from the recording if it is here. */
export async function judgeByRecording(
  unjudged: readonly JsonObject[],
  out: string,
  recording: { readonly manifest: RunManifest; readonly directory: string; readonly agent: Agent } | undefined,
): Promise<Judged> {
  if (unjudged.length === 0) return { flaws: [], unchecked: [] };
  if (recording === undefined) return { flaws: [], unchecked: named(unjudged, "only the recording can show them") };
  const { manifest, directory, agent } = recording;
  const { metadata, file } = evidenceIn(out);
  const checks = Array.isArray(metadata["checks"]) ? metadata["checks"].map(spelled) : [];
  const policy = file(POLICY_FILE) && { policy: join(out, POLICY_FILE), isForeignPolicy: true };
  const verdicts = await evaluateRun({ events: eventsOfRun(manifest, directory, agent), directory, constraints: [], checks, ...policy });
  const flaws: Flaw[] = [];
  const left = unjudged.filter(({ id, status }) => {
    const verdict = verdicts.find((each) => each.id === id);
    if (verdict !== undefined && verdict.status !== status)
      flaws.push({ file: "events.jsonl", line: 8, problem: `${spelled(id)} is ${spelled(status)}; the recording gives ${verdict.status}` });
    return verdict === undefined;
  });
  return { flaws, unchecked: named(left, "a module decided them, which is not run here, or a policy that was not kept") };
}

function named(verdicts: readonly JsonObject[], why: string): readonly string[] {
  return verdicts.length === 0 ? [] : [`verdicts of ${verdicts.map(({ id }) => spelled(id)).join(", ")}: ${why}`];
}
