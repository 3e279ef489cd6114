import type { Agent, View } from "../../../pure/pipeline/index.ts";
import { writeAtomically } from "../../files/index.ts";
import { eventsOfRun } from "../derive/index.ts";
import { type FileSeal, holds, type RunManifest } from "../format/index.ts";

/**
 * Puts the records of a view where they belong, if the agent has put something else there, or has taken them away: they lie where it could
 * reach them, and the recording gives them again, to the byte.
 */
export async function mendView(
  view: View,
  path: string,
  sealed: FileSeal,
  run: { readonly manifest: RunManifest; readonly directory: string; readonly agent: Agent },
): Promise<void> {
  if (holds(path, sealed.sha256)) return;
  const projection = view.open();
  let text = "";
  for await (const batch of eventsOfRun(run.manifest, run.directory, run.agent))
    for (const event of batch) for (const record of projection.push(event)) text += `${JSON.stringify(record)}\n`;
  writeAtomically(path, text);
}
