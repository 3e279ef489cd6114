import type { Agent, View } from "../../../pure/pipeline/index.ts";
import { writeAtomically } from "../../files/index.ts";
import { recorded } from "../../sink/index.ts";
import { eventsOfRun } from "../derive/index.ts";
import { type FileSeal, holds, type RunManifest } from "../format/index.ts";

/** Restores an outside view if the agent replaced or removed its file: the recording yields the same bytes again. */
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
  writeAtomically(path, recorded(text));
}
