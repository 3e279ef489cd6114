import type { Agent } from "../../../pure/pipeline/index.ts";
import { decision } from "../../../pure/views/index.ts";
import { writeAtomically } from "../../files/index.ts";
import { eventsOfRun } from "../derive/index.ts";
import { type FileSeal, holds, type RunManifest } from "../format/index.ts";

/**
 * Puts the decision events of a run where they belong, if the agent has put something else there, or has taken them away: they lie where
 * it could reach them, and the records give them again, to the byte.
 */
export async function mendDecision(path: string, sealed: FileSeal, manifest: RunManifest, directory: string, agent: Agent): Promise<void> {
  if (holds(path, sealed.sha256)) return;
  const view = decision.open();
  let text = "";
  for await (const batch of eventsOfRun(manifest, directory, agent))
    for (const event of batch) for (const record of view.push(event)) text += `${JSON.stringify(record)}\n`;
  writeAtomically(path, text);
}
